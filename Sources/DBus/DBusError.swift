/// A call that failed: refused by the other side, by the bus, or for want of a connection.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name on the bus: `org.bluez.Error.InProgress`.
    package var name: String
    /// What the sender of the error says.
    package var message: String

    package init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    package var description: String {
        // Behind a semicolon dbus-daemon describes the message that its policy keeps out, in several lines.
        let sentence = name == Self.accessDenied ? message.prefix { $0 != ";" } : message[...]
        return sentence.isEmpty ? name : "\(sentence) (\(name))"
    }

    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let authenticationFailed = "org.freedesktop.DBus.Error.AuthFailed"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
}
