/// The names of bluetoothd's service, interfaces and signals on the bus.
///
/// Source: BlueZ, doc/org.bluez.*.rst.
enum BlueZName {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let gattDescriptor = "org.bluez.GattDescriptor1"
    static let attributes: Set = [gattService, gattCharacteristic, gattDescriptor]
    static let agent = "org.bluez.Agent1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let agentManager = "org.bluez.AgentManager1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// The match rules for all signals that a gateway needs.
    ///
    /// The rules are narrow, because each matching signal wakes the process.
    static let matches = [
        """
        type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager',member='InterfacesAdded',\
        arg0path='/org/bluez/'
        """,
        """
        type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager',member='InterfacesRemoved',\
        arg0path='/org/bluez/'
        """,
        """
        type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',\
        path_namespace='/org/bluez'
        """,
        "type='signal',sender='org.bluez',interface='org.bluez.Device1',member='Disconnected'",
        """
        type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
        arg0='org.bluez'
        """,
    ]
}
