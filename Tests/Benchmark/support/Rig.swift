import DBus
package import EventLoop
import Foundation
package import TestSupport

/// What a bridge runs against: a message bus, a broker, and on the bus an org.bluez that floods.
///
/// Not for two threads at a time.
package final class Rig {
    package let folder: TemporaryFolder
    package let broker: Broker
    package let flood: Flood
    package let fleet: FleetSize
    private let bus: Command

    /// How many devices there are.
    package struct FleetSize: Sendable {
        /// Those that the bridge is to subscribe to.
        package var peripherals: Int
        /// Those that nobody asked for, and that advertise.
        package var strangers: Int

        package init(peripherals: Int, strangers: Int = 0) {
            self.peripherals = peripherals
            self.strangers = strangers
        }
    }

    /// - Parameter queues: Whether the bus keeps what is not taken yet, as the system's does; if not, a sender of whose
    ///   messages so much waits for their receivers is not read any further, and a flood goes only as fast as it is taken.
    package init(_ fleet: FleetSize, queues: Bool = false, programs: Programs) throws {
        self.fleet = fleet
        folder = try TemporaryFolder()
        broker = try Broker()
        let text = PrivateBus.configuration(
            listeningAt: folder.path("bus"), limits: queues ? [:] : ["max_incoming_bytes": 200_000])
        let configuration = try folder.write(text, to: "bus.conf")
        bus = try Command("dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--print-address"])
        try bus.waitForOutput(containing: "unix:path=")
        flood = try Flood(fleet, busAddress: "unix:path=\(folder.path)/bus", port: broker.port, programs: programs)
    }

    deinit {
        flood.end()
        bus.kill()
        folder.remove()
    }

    /// The processor time that all this has taken, in nanoseconds.
    package func processorTime() throws -> Int {
        try [bus.identifier, flood.identifier, broker.identifier].compactMap(\.self)
            .reduce(0) { try $0 + ProcessUsage(of: $1).processorTime() }
    }

    package var busAddress: String { "unix:path=\(folder.path)/bus" }
}
