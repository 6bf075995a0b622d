internal import DBus
internal import Glibc

/// The message bus on which BlueZ is.
enum MessageBus {
    static let option = Option(
        "bus", value: "ADDRESS", "another D-Bus than the system's, such as unix:path=/tmp/bus")

    /// What was asked for, or what D-Bus programs take for the system's bus.
    static func address(_ arguments: Arguments) -> String {
        if let address = arguments[option] { return address }
        let variable = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) }
        return variable ?? Connection.systemBus
    }
}
