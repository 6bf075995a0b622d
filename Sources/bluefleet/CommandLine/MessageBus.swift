internal import DBus
internal import Glibc

/// The message bus on which BlueZ is.
enum MessageBus {
    static let option = Option(
        "bus", value: "ADDRESS", "another D-Bus than the system's, such as unix:path=/tmp/bus")

    /// What was asked for, or what D-Bus programs take for the system's bus.
    static func address(_ arguments: Arguments) -> String {
        if let address = arguments[option] { return address }
        return systemAddress(unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) })
    }

    /// The system's bus, where a variable names it; libdbus too takes an empty one for none.
    static func systemAddress(_ variable: String?) -> String {
        guard let variable, !variable.isEmpty else { return Connection.systemBus }
        return variable
    }

    /// What the command line of another command needs besides, to reach the same bus.
    static func words(for address: String) -> String {
        address == Connection.systemBus ? "" : " --bus \(address)"
    }

    /// Whether it is this machine's bluetoothd that is behind an address, and not that of another machine or a simulation.
    static func isSystem(_ address: String) -> Bool {
        // /var/run is a link to /run.
        [Connection.systemBus, "unix:path=/var/run/dbus/system_bus_socket"].contains(address)
    }
}
