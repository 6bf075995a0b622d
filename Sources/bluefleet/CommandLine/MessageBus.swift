import Codec
import DBus
import Glibc

/// The D-Bus of bluetoothd.
enum MessageBus {
    static let option = Option(
        "bus", value: "ADDRESS", "the D-Bus of bluetoothd instead of the system bus, e.g. unix:path=/tmp/bus")

    /// Returns the address of the option `--bus`, else the address of the system bus.
    ///
    /// - Throws: `Failure` if the option is not the address of a D-Bus.
    static func address(_ arguments: Arguments) throws(Failure) -> String {
        if let address = arguments[option] {
            guard !isWellFormed(address) else { return address }
            let advice = path(meantBy: address).map { ": did you mean unix:path=\($0.printable)?" } ?? ""
            throw Failure(
                .usage,
                "--bus: expected an address such as unix:path=/tmp/bus, found \(address.quotedForMessage)\(advice)")
        }
        return systemAddress(unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) })
    }

    /// Whether a text is TRANSPORT:KEY=VALUE, or a transport without keys (D-Bus specification, Server Addresses).
    private static func isWellFormed(_ address: String) -> Bool {
        guard !address.hasPrefix("/"), let colon = address.firstIndex(of: ":") else { return false }
        let values = address[colon...].dropFirst()
        return values.isEmpty || values.contains("=") && values.last != "="
    }

    /// Returns the path of a socket in a text such as `/run/bus`, `unix:/run/bus` or `unix:///run/bus`; nil for others.
    private static func path(meantBy address: String) -> String? {
        let path = address.hasPrefix("unix:") ? String(address.dropFirst(5)) : address
        guard path.contains("/"), !path.contains(":") else { return nil }
        return path.hasPrefix("///") ? String(path.dropFirst(2)) : path
    }

    /// Returns the address of the system bus, which an environment variable may replace.
    ///
    /// An empty variable is ignored, as in libdbus.
    static func systemAddress(_ variable: String?) -> String {
        guard let variable, !variable.isEmpty else { return Connection.systemBus }
        return variable
    }

    /// Returns the option that another command needs to use the same bus; empty for the system bus.
    static func words(for address: String) -> String {
        address == Connection.systemBus ? "" : " --bus \(address)"
    }

    /// Returns whether an address is that of this machine's system bus, where no bluetoothd is remote or simulated.
    static func isSystem(_ address: String) -> Bool {
        // /var/run is a symbolic link to /run.
        [Connection.systemBus, "unix:path=/var/run/dbus/system_bus_socket"].contains(address)
    }
}
