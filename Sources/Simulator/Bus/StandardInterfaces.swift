import DBus

// The interfaces that D-Bus itself defines, and the words of gdbus for what goes wrong with them.

enum Introspectable {
    static let name = "org.freedesktop.DBus.Introspectable"
}

enum PropertiesInterface {
    static let name = "org.freedesktop.DBus.Properties"
}

enum ObjectManager {
    static let name = "org.freedesktop.DBus.ObjectManager"
}
