/// The names of the errors that a bus, libdbus and every service report.
///
/// Source: D-Bus Specification, "Message Bus Messages" and "Standard Interfaces"; dbus-protocol.h.
extension DBusError {
    package static let failed = "org.freedesktop.DBus.Error.Failed"
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
    package static let invalidSignature = "org.freedesktop.DBus.Error.InvalidSignature"
}
