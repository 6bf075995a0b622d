import Bluetooth
import DBus
import EventLoop
import System

/// The state of bluetoothd: the connection to its bus, whether bluetoothd runs, and its adapters.
final class Bluetoothd {
    private(set) var connection: Connection?
    /// Whether bluetoothd runs and its objects have been read.
    private(set) var isPresent = false
    /// The adapters in use, by path.
    private(set) var adapters: [String: Adapter] = [:]
    /// The addresses of the adapters to use; nil: all.
    private(set) var allowedAddresses: [Address]?
    /// The folder of the kernel's rfkill switches.
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

    /// Notes that the connection to the bus is lost.
    func disconnected() {
        connection = nil
    }

    func appeared() {
        isPresent = true
    }

    func didNotAnswer() {
        isPresent = false
    }

    /// Removes all adapters, because bluetoothd or the bus is gone.
    func vanished() {
        isPresent = false
        adapters = [:]
    }

    // MARK: Adapters

    /// The adapters in use, sorted by name.
    var sortedAdapters: [Adapter] {
        adapters.values.sorted { $0.name < $1.name }
    }

    /// The paths of the adapters that can connect to peripherals now.
    var openAdapters: Set<String> {
        Set(adapters.values.filter { $0.isCentral && $0.isPowered }.map(\.path))
    }

    /// Returns the adapter of a device; nil if the adapter is not in use.
    func adapter(of device: DeviceProperties) -> Adapter? {
        device.adapter.flatMap { adapters[$0] }
    }

    func allow(_ addresses: [Address]?) {
        allowedAddresses = addresses
    }

    func isAllowed(_ address: Address) -> Bool {
        allowedAddresses?.contains(address) ?? true
    }

    /// Adds an adapter.
    ///
    /// - Returns: The adapter; nil if the configuration excludes the adapter or if it was added before.
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
    /// - Returns: The adapter; nil if the adapter is not in use.
    func changeAdapter(at path: String, _ changed: AdapterProperties) -> Adapter? {
        if let isPowered = changed.isPowered { adapters[path]?.isPowered = isPowered }
        updateObstacle(of: path, changed)
        return adapters[path]
    }

    /// Removes an adapter.
    ///
    /// - Returns: Whether the adapter was in use.
    func removeAdapter(at path: String) -> Bool {
        adapters.removeValue(forKey: path) != nil
    }

    /// Determines why an adapter is off.
    ///
    /// The kernel's rfkill switches also show who blocks an adapter, but not every container has them. bluetoothd
    /// reports only that an adapter is blocked, since 5.73.
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

    /// Returns whether an adapter has connections, including connections of other programs, for example to a keyboard.
    ///
    /// - Parameters:
    ///   - adapter: The path of the adapter.
    ///   - device: The path of a device whose connection is ignored; nil: none.
    /// - Returns: Whether there are connections; true if bluetoothd does not reply, false without a connection to the
    ///   bus.
    func isInUse(_ adapter: String, besides device: String? = nil) async -> Bool {
        await connectionCount(of: adapter, besides: device) > 0
    }

    /// Returns the number of connections of an adapter, also of other programs.
    ///
    /// - Parameters:
    ///   - adapter: The path of the adapter.
    ///   - device: The path of a device whose connection is not counted; nil: none.
    /// - Returns: The number; `Int.max` if bluetoothd does not reply, 0 without a connection to the bus.
    func connectionCount(of adapter: String, besides device: String? = nil) async -> Int {
        guard let connection else { return 0 }
        do throws(DBusError) {
            return try await connection.managedObjects().count { path, interfaces in
                path != device && path.hasPrefix(adapter + "/")
                    && interfaces.dictionary?[BlueZName.device]?.dictionary.map(DeviceProperties.init)?.isConnected
                        == true
            }
        } catch {
            // An adapter that may have connections must not be switched off.
            return .max
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
            // The caller checks whether the connection is down.
        }
    }
}
