package import BlueZ
import Bluetooth
package import Configuration
import Devices

/// The shared devices of a gateway that does not run, to which bluetoothd may still have connections.
///
/// bluetoothd keeps the connections of a process that has ended, so that no other gateway can connect.
package struct SharedConnections: Sendable {
    /// The names of the shared devices, by address.
    private let names: [Address: String]
    private let known: [KnownPeripheral]

    /// Reads the devices of a configuration and of its state folder.
    package init(_ configuration: Configuration) {
        let folder = configuration.stateDirectory
        let roster = RosterStore(in: folder, listed: Set(configuration.devices.map(\.address))).roster
        let devices = roster.devices(EntryReader(configuration)).list.devices
        let shared = devices.filter { configuration.share?.includes($0) ?? false }
        names = Dictionary(shared.map { ($0.address, $0.name) }) { first, _ in first }
        var store = KnownPeripheralStore(in: folder)
        known = store.load()
    }

    /// Whether there are no shared devices.
    package var isEmpty: Bool { names.isEmpty }

    /// Ends the connections to the shared devices.
    ///
    /// - Parameter central: A central whose state is `poweredOn`.
    /// - Returns: The names of the devices that were connected, sorted.
    /// - Throws: `CentralError` `timeout` if bluetoothd does not end a connection.
    package func end(on central: Central) async throws(CentralError) -> [String] {
        let addresses = Set(names.keys)
        // Some of them are known by their identity addresses only to an earlier run.
        await central.restore(known, of: addresses, links: addresses)
        return try await central.endConnections(to: addresses).compactMap { names[$0] }.sorted()
    }
}
