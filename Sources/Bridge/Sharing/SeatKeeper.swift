import Contract
import EventLoop
import Log
import Seat
import Sharing

/// Takes the seat in etcd for the machine of this gateway, and keeps the record of begun requests there.
final class SeatKeeper: LoopPart {
    /// The number of consecutive failures that are reported: one is an election of etcd or a slow answer.
    private static let reportedFailures = 3

    let loop: EventLoop
    private let seat: Seat
    private let log = Log("sharing")
    private let handle: (FleetEvent) -> Void
    private let report: (GatewayEvent) -> Void
    private var isTaking = false
    /// The number of consecutive failures.
    private var failures = 0

    /// - Parameters:
    ///   - seat: The seat.
    ///   - loop: The loop.
    ///   - handle: Passes an event to the machine.
    ///   - report: Publishes an event.
    init(
        _ seat: Seat, loop: EventLoop, handle: @escaping (FleetEvent) -> Void,
        report: @escaping (GatewayEvent) -> Void
    ) {
        self.seat = seat
        self.loop = loop
        self.handle = handle
        self.report = report
    }

    /// Takes or renews the seat; does nothing while an earlier call waits for etcd.
    func take() {
        guard !isTaking else { return }
        isTaking = true
        let asked = loop.now
        spawn { keeper in
            do throws(SeatError) {
                let holding = try await keeper.seat.take()
                keeper.answered()
                keeper.isTaking = false
                if let holding {
                    keeper.handle(
                        .seated(
                            begun: holding.begun, answered: holding.answered, asked: asked, giver: holding.giver))
                }
            } catch {
                keeper.isTaking = false
                keeper.failed(error)
            }
        }
    }

    /// Records requests that a gateway is about to execute; without an answer of etcd, that gateway demands it again.
    func record(_ claims: [String: FleetClaim]) {
        spawn { keeper in
            do throws(SeatError) {
                guard try await keeper.seat.record(claims) else { return }
                keeper.handle(.recorded(claims))
            } catch {
                keeper.failed(error)
            }
        }
    }

    /// Records that requests have been answered, in the place of their claims.
    func recordAnswers(_ names: [String]) {
        spawn { keeper in
            do throws(SeatError) {
                try await keeper.seat.recordAnswers(names)
            } catch {
                keeper.failed(error)
            }
        }
    }

    /// Gives the seat back.
    func release() {
        spawn { keeper in await keeper.seat.release() }
    }

    private func answered() {
        if failures >= Self.reportedFailures {
            log.info("etcd answers again")
            report(.seatReachable)
        }
        failures = 0
    }

    private func failed(_ error: SeatError) {
        failures += 1
        guard failures == Self.reportedFailures else { return log.debug("\(error)") }
        log.error("\(error)", ["effect": "no gateway decides without its seat: all hold their values"])
        report(.seatUnreachable(reason: error.description))
    }
}
