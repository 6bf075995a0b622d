/// The reason why a connection has ended, as a text for the user.
enum DisconnectReason {
    /// - Parameters:
    ///   - name: bluetoothd's name for the reason (doc/org.bluez.Device.rst, Disconnected).
    ///   - text: bluetoothd's text, which is used for unknown names.
    /// - Returns: The reason in plain words.
    static func description(of name: String, _ text: String) -> String {
        switch name {
        case "org.bluez.Reason.Timeout": "the device did not respond any more"
        case "org.bluez.Reason.Local": "this machine ended the connection"
        case "org.bluez.Reason.Remote": "the device ended the connection"
        case "org.bluez.Reason.Authentication": "the keys of the bond were rejected"
        case "org.bluez.Reason.Suspend": "this machine went to sleep"
        default: text.isEmpty ? name : text
        }
    }
}
