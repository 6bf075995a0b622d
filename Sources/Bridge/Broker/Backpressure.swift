import BlueZ
import EventLoop
import Log
import MQTT
import System

/// Bounds the age of values and the memory use when values arrive faster than the broker accepts them.
///
/// The bus and the sockets of `notify: descriptor` buffer values that are not read. While the broker is behind, the
/// loop does not read values: no value is lost, and memory stays bounded. While the broker accepts no messages at all,
/// the loop reads values, and the client queues them. If values would become too old, all values are read, and only
/// the newest value of each state is sent.
final class Backpressure: LoopPart {
    let loop: EventLoop
    private let central: Central
    private let log = Log("gateway")
    private var lag = Lag() {
        didSet { lagChanged(from: oldValue.isTooLong) }
    }
    /// The timer that checks the broker each second while the broker is behind; nil otherwise.
    private var check: Timer?
    /// The client whose queue is bounded; nil before the start.
    private var client: Client?

    init(central: Central, loop: EventLoop) {
        self.central = central
        self.loop = loop
    }

    /// Bounds the queue of another client from now on.
    func use(_ client: Client) {
        self.client = client
        brokerCaughtUp()
    }

    func brokerFellBehind() {
        lag.brokerFellBehind()
        lag.update(at: loop.now)
        if lag.isTooLong { return skipToNewest() }
        pauseReading()
        if check == nil { scheduleCheck() }
    }

    func brokerCaughtUp() {
        lag.brokerCaughtUp()
        loop.holdsBack = false
    }

    private func pauseReading() {
        loop.holdsBack = true
        if lag.ask(at: loop.now) { spawn { await $0.measureLag() } }
    }

    private func skipToNewest() {
        client?.skipToNewest()
        brokerCaughtUp()
    }

    private func scheduleCheck() {
        guard let client else { return }
        let before = client.statistics.sent
        check = after(.seconds(1)) { backpressure in
            let statistics = client.statistics
            backpressure.check = nil
            backpressure.secondPassed(sent: statistics.sent - before, waiting: statistics.waiting)
        }
    }

    private func secondPassed(sent: Int, waiting: Int) {
        lag.update(at: loop.now)
        lag.secondPassed(sent: sent, waiting: waiting)
        guard lag.isBrokerBehind else { return }
        if lag.isTooLong || lag.isBrokerSlow { return skipToNewest() }
        if sent > 0 { pauseReading() } else { loop.holdsBack = false }
        scheduleCheck()
    }

    private func measureLag() async {
        repeat { await central.catchUp() } while lag.answered(at: loop.now)
    }

    private func lagChanged(from wasTooLong: Bool) {
        guard lag.isTooLong != wasTooLong else { return }
        if lag.isTooLong {
            log.warning("values arrive faster than the broker accepts them: only the newest of each state is sent")
        } else {
            log.info("the broker is fast enough again: all values are sent")
        }
    }
}
