import DBus
import EventLoop
import Foundation
package import System
package import TestSupport

/// The environment of a measured bridge: a message bus, a broker, and an org.bluez that sends values.
///
/// Not thread-safe.
package final class Rig {
    package let folder: TemporaryFolder
    package let broker: Broker
    package let flood: Flood
    package let fleet: FleetSize
    private let bus: Command

    /// The numbers of devices.
    package struct FleetSize: Sendable {
        /// The devices in the bridge's configuration.
        package var peripherals: Int
        /// Unmanaged peripherals that advertise.
        package var unmanaged: Int

        package init(peripherals: Int, unmanaged: Int = 0) {
            self.peripherals = peripherals
            self.unmanaged = unmanaged
        }
    }

    /// - Parameters:
    ///   - fleet: The numbers of devices.
    ///   - fields: The fields of each value.
    ///   - queues: Whether the bus queues messages without a limit, as the system bus does. Otherwise it stops reading
    ///     from a sender with 200 kB of undelivered messages, so that a flood is as fast as its receiver.
    ///   - programs: The programs to run.
    /// - Throws: An error if the bus, the broker or the flood does not start.
    package init(
        _ fleet: FleetSize, _ fields: Subject.Fields = .one, queues: Bool = false, programs: Programs
    ) throws {
        self.fleet = fleet
        folder = try TemporaryFolder()
        broker = try Broker()
        let text = PrivateBus.configuration(
            listeningAt: folder.path("bus"), limits: queues ? [:] : ["max_incoming_bytes": 200_000])
        let configuration = try folder.write(text, to: "bus.conf")
        bus = try Command("dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--print-address"])
        try bus.waitForOutput(containing: "unix:path=")
        flood = try Flood(
            fleet, fields, busAddress: "unix:path=\(folder.path)/bus", port: broker.port, programs: programs)
    }

    deinit {
        flood.end()
        bus.kill()
        folder.remove()
    }

    /// The process identifiers of the bus, the flood and the broker.
    var processes: [Int32] { [bus.identifier, flood.identifier, broker.identifier].compactMap(\.self) }

    /// The processor time of the bus, the flood and the broker, in nanoseconds.
    package func processorTime() throws -> Int {
        try processes.reduce(0) { try $0 + ProcessUsage(of: $1).processorTime() }
    }

    package var busAddress: String { "unix:path=\(folder.path)/bus" }
}
