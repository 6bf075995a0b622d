import DBus

// The interfaces that the D-Bus specification defines.

enum Introspectable {
    static let name = "org.freedesktop.DBus.Introspectable"
}

enum PropertiesInterface {
    static let name = "org.freedesktop.DBus.Properties"
}

enum ObjectManager {
    static let name = "org.freedesktop.DBus.ObjectManager"
}
