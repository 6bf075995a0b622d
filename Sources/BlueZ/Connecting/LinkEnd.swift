/// Why a link has gone, in words.
enum LinkEnd {
    /// - Parameters:
    ///   - name: bluetoothd's name for the reason (doc/org.bluez.Device.rst, Disconnected).
    ///   - text: what it says itself, for reasons that have no words here.
    static func explanation(of name: String, _ text: String) -> String {
        switch name {
        case "org.bluez.Reason.Timeout": "nothing was heard of the device any more"
        case "org.bluez.Reason.Local": "this machine ended it"
        case "org.bluez.Reason.Remote": "the device ended it"
        case "org.bluez.Reason.Authentication": "the keys of the bond were refused"
        case "org.bluez.Reason.Suspend": "this machine went to sleep"
        default: text.isEmpty ? name : text
        }
    }
}
