import Bluetooth
import EventLoop
import Testing

@testable import Simulator

/// The order in which a busy machine handles the packets of a peripheral and their signals.
@Suite struct AirTests {
    /// An adapter on a machine that needs longer for a packet than the time between two packets.
    private final class BusyReceiver: Receiver {
        let adapterModel: SimulatedFleet.Adapter
        private let loop: EventLoop
        private(set) var steps: [String] = []
        /// Called after the signal of a packet.
        var signalled: () -> Void = {}

        init(_ adapter: SimulatedFleet.Adapter, on loop: EventLoop) {
            adapterModel = adapter
            self.loop = loop
        }

        func received(_ packet: Packet, from peripheral: Peripheral) {
            steps.append("packet")
            loop.advance(by: .milliseconds(50))
            // As a host schedules the signals of changed properties.
            loop.schedule(after: .zero) { [weak self] in
                guard let self else { return }
                steps.append("signal")
                signalled()
            }
        }
    }

    @Test func `on a busy machine, the signal of a packet comes before the next packet`() throws {
        let fleet = try SimulatedFleet.read(
            yaml: """
                adapters: {hci0: {address: "00:00:5E:00:53:01"}}
                peripherals: {sensor: {address: C0:00:00:00:00:01, advertise: {every: 20ms}}}
                """,
            name: "fleet.yaml")
        let steps = try EventLoop.run(time: .manual) { home in
            let air = Air(fleet, loop: home.loop)
            let receiver = BusyReceiver(fleet.adapters[0], on: home.loop)
            air.listening(receiver, true)
            await withCheckedContinuation { continuation in
                receiver.signalled = { [unowned receiver, loop = home.loop] in
                    loop.advance(by: .milliseconds(50))
                    guard receiver.steps.count >= 6 else { return }
                    receiver.signalled = {}
                    continuation.resume()
                }
                home.loop.advance(by: .milliseconds(20))
            }
            air.listening(receiver, false)
            return receiver.steps
        }
        #expect(steps.prefix(6) == ["packet", "signal", "packet", "signal", "packet", "signal"])
    }
}
