/// The reason why a connection has ended, as bluetoothd reports it.
package enum DisconnectReason: Equatable, Sendable, CustomStringConvertible {
    case timeout, local, remote, authentication, suspend
    /// A reason that this program does not know, in bluetoothd's words.
    case other(String)

    /// - Parameters:
    ///   - name: bluetoothd's name for the reason (doc/org.bluez.Device.rst, Disconnected).
    ///   - text: bluetoothd's text, which is used for unknown names.
    init(_ name: String, _ text: String) {
        self =
            switch name {
            case "org.bluez.Reason.Timeout": .timeout
            case "org.bluez.Reason.Local": .local
            case "org.bluez.Reason.Remote": .remote
            case "org.bluez.Reason.Authentication": .authentication
            case "org.bluez.Reason.Suspend": .suspend
            default: .other(text.isEmpty ? name : text)
            }
    }

    /// The reason in plain words.
    package var description: String {
        switch self {
        case .timeout: "the device did not respond any more"
        case .local: "this machine ended the connection"
        case .remote: "the device ended the connection"
        case .authentication: "the keys of the bond were rejected"
        case .suspend: "this machine went to sleep"
        case .other(let text): text
        }
    }
}
