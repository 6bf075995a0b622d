import Bluetooth
import DBus
import EventLoop
import System

/// bluetoothd as this process sees it: the connection to its bus, whether it runs, and its adapters.
final class Bluetoothd {
    private(set) var connection: Connection?
    /// Whether bluetoothd runs and its objects have been read.
    private(set) var isPresent = false
    /// The adapters in use, by path.
    private(set) var adapters: [String: Adapter] = [:]
    /// The addresses of the adapters to use; nil: all.
    private(set) var allowedAddresses: [Address]?
    /// The folder in which the kernel shows its rfkill switches.
    private let radioSwitches: String
    /// How long bluetoothd may take to end a connection.
    let disconnectTimeout: Duration

    init(allowedAddresses: [Address]?, radioSwitches: String, disconnectTimeout: Duration) {
        self.allowedAddresses = allowedAddresses
        self.radioSwitches = radioSwitches
        self.disconnectTimeout = disconnectTimeout
    }

    // MARK: Presence

    func connected(by connection: Connection) {
        self.connection = connection
    }

    /// The connection to the bus is lost.
    func disconnected() {
        connection = nil
    }

    func appeared() {
        isPresent = true
    }

    func didNotAnswer() {
        isPresent = false
    }

    /// bluetoothd or the bus is gone, and with it every adapter.
    func vanished() {
        isPresent = false
        adapters = [:]
    }

    // MARK: Adapters

    /// The adapters in use, by name.
    var sortedAdapters: [Adapter] {
        adapters.values.sorted { $0.name < $1.name }
    }

    /// The paths of the adapters that can connect to peripherals now.
    var openAdapters: Set<String> {
        Set(adapters.values.filter { $0.isCentral && $0.isPowered }.map(\.path))
    }

    func allow(_ addresses: [Address]?) {
        allowedAddresses = addresses
    }

    func isAllowed(_ address: Address) -> Bool {
        allowedAddresses?.contains(address) ?? true
    }

    /// Adds an adapter.
    ///
    /// - Returns: The adapter; nil if it is not to be used or was added before.
    func addAdapter(at path: String, _ properties: AdapterProperties) -> Adapter? {
        guard let address = properties.address, isAllowed(address), adapters[path] == nil else { return nil }
        adapters[path] = Adapter(
            address: address, isCentral: properties.isCentral, isPowered: properties.isPowered ?? false, path: path,
            bluetoothd: properties.bluetoothd)
        updateObstacle(of: path, properties)
        return adapters[path]
    }

    /// Applies changed properties to an adapter.
    ///
    /// - Returns: The adapter; nil if it is not in use.
    func changeAdapter(at path: String, _ changed: AdapterProperties) -> Adapter? {
        if let isPowered = changed.isPowered { adapters[path]?.isPowered = isPowered }
        updateObstacle(of: path, changed)
        return adapters[path]
    }

    /// Removes an adapter.
    ///
    /// - Returns: Whether it was in use.
    func removeAdapter(at path: String) -> Bool {
        adapters.removeValue(forKey: path) != nil
    }

    /// Finds out why an adapter is off.
    ///
    /// The kernel knows more than bluetoothd, which reports it since 5.73, but not in every container.
    private func updateObstacle(of path: String, _ properties: AdapterProperties) {
        guard var adapter = adapters[path] else { return }
        adapter.obstacle = nil
        if !adapter.isPowered {
            let block = RadioSwitch.all(in: radioSwitches).first { $0.radio == adapter.name }?.block
            adapter.obstacle = (block ?? (properties.isBlocked ? .soft : nil))?.description
        }
        adapters[path] = adapter
    }

    // MARK: Calls

    func adapterObject(at path: String) -> RemoteObject? {
        connection.map { RemoteObject(connection: $0, path: path, interface: BlueZName.adapter) }
    }

    func deviceObject(at path: String) -> RemoteObject? {
        connection.map { RemoteObject(connection: $0, path: path, interface: BlueZName.device) }
    }

    /// Makes bluetoothd delete a device.
    ///
    /// - Throws: `DBusError`, for example `DoesNotExist`.
    func removeDevice(at path: String, of adapter: String) async throws(DBusError) {
        guard let object = adapterObject(at: adapter) else { return }
        try await object.call("RemoveDevice", [.objectPath(path)], timeout: disconnectTimeout)
    }

    /// Returns whether an adapter has connections, also those of other programs: to a keyboard, for example.
    ///
    /// - Parameters:
    ///   - adapter: The path of the adapter.
    ///   - device: The path of a device that does not count.
    /// - Returns: Whether there are connections; true if bluetoothd does not reply, false without a connection to the
    ///   bus.
    func isInUse(_ adapter: String, besides device: String? = nil) async -> Bool {
        guard let connection else { return false }
        do throws(DBusError) {
            return try await connection.managedObjects().contains { path, interfaces in
                path != device && path.hasPrefix(adapter + "/")
                    && interfaces.dictionary?[BlueZName.device]?.dictionary.map(DeviceProperties.init)?.isConnected
                        == true
            }
        } catch {
            // Unknown connections must not be cut.
            return true
        }
    }
}

extension RemoteObject {
    /// Calls `Disconnect` of a device.
    ///
    /// The result of the call does not matter: the caller checks whether the connection is down.
    func disconnect(timeout: Duration) async {
        do throws(DBusError) {
            try await call("Disconnect", timeout: timeout)
        } catch {
            // See above.
        }
    }
}
