import Bluetooth
import DBus

extension DeviceObject {
    static let device = InterfaceTable<DeviceObject>(
        "org.bluez.Device1",
        properties: [
            .init("Address", "s") { .string($0.address.description) },
            .init("AddressType", "s") { .string($0.kind.rawValue) },
            .init("Name", "s") { $0.advertised.name.map(Variant.string) },
            .init("Alias", "s") {
                .string($0.shownAlias)
            } write: { device, value, call in
                let alias = value.text ?? ""
                device.update { $0.alias = alias.isEmpty ? nil : alias }
                call.reply()
                device.changed("Alias")
            },
            .init("Appearance", "q") { $0.advertised.appearance.map(Variant.uint16) },
            .init("Paired", "b") { .boolean($0.isBonded) },
            .init("Bonded", "b") { .boolean($0.isBonded) },
            .init("Trusted", "b") {
                .boolean($0.options.isTrusted)
            } write: { device, value, call in
                device.update { $0.isTrusted = value.boolean ?? false }
                device.store()
                call.reply()
                device.changed("Trusted")
            },
            .init("Blocked", "b") {
                .boolean($0.options.isBlocked)
            } write: { device, value, call in
                device.update { $0.isBlocked = value.boolean ?? false }
                call.reply()
                device.changed("Blocked")
                if device.options.isBlocked { device.link.disconnectAtOnce() }
            },
            .init("LegacyPairing", "b") { _ in .boolean(false) },
            .init("CablePairing", "b") { $0.host.fleet.version.showsBearers ? .boolean(false) : nil },
            .init("RSSI", "n") { $0.advertised.rssi.map(Variant.int16) },
            .init("Connected", "b") { .boolean($0.link.isConnected) },
            .init("UUIDs", "as") { .strings($0.advertised.uuids.map(\.fullDescription)) },
            .init("Adapter", "o") { .objectPath($0.adapter.path) },
            .init("ManufacturerData", "a{qv}") { device in
                device.advertised.manufacturerData.isEmpty ? nil : device.manufacturerDictionary
            },
            .init("ServiceData", "a{sv}") { device in
                device.advertised.serviceData.isEmpty ? nil : device.serviceDictionary
            },
            .init("TxPower", "n") { $0.advertised.txPower.map(Variant.int16) },
            .init("ServicesResolved", "b") { .boolean($0.attributes.isResolved) },
            .init("PreferredBearer", "s") {
                $0.shownBearer
            } write: { device, value, call in
                if let bearer = value.text { device.update { $0.preferredBearer = bearer } }
                call.reply()
                device.changed("PreferredBearer")
            },
            .init("AdvertisingFlags", "ay") { $0.shownFlags },
        ],
        methods: [
            .init("Connect") { device, call throws(DBusError) in try device.link.connect(call) },
            .init("Disconnect") { device, call in device.link.disconnect { call.reply() } },
            .init("Pair") { device, call throws(DBusError) in try device.pairing.pair(call) },
            .init("CancelPairing") { device, call throws(DBusError) in try device.pairing.cancel(call) },
            // Profiles belong to Bluetooth Classic.
            .init("ConnectProfile", takes: "s") { _, _ throws(DBusError) in throw BlueZError.notSupported },
            .init("DisconnectProfile", takes: "s") { _, _ throws(DBusError) in throw BlueZError.notSupported },
        ],
        signals: [
            .init(name: "Disconnected", arguments: "ss") { $0.host.fleet.version.describesDisconnections }
        ])

    /// An interface that other clients expect; the simulator does not implement its methods.
    static let bearer = InterfaceTable<DeviceObject>("org.bluez.Bearer.LE1")

    static let battery = InterfaceTable<DeviceObject>(
        "org.bluez.Battery1",
        properties: [
            .init("Percentage", "y") { $0.attributes.battery.map(Variant.byte) },
            .init("Source", "s") { $0.host.fleet.version.showsBatterySource ? .string("GATT Battery Service") : nil },
        ])

    /// The property `PreferredBearer`; nil for devices that are not dual-mode, and in versions without this property.
    private var shownBearer: Variant? {
        host.fleet.version.showsPreferredBearer && peripheral.faults.isPlanned(.classicFirst)
            ? .string(options.preferredBearer) : nil
    }

    private var shownAlias: String { options.alias ?? advertised.name ?? address.text(separator: "-") }

    /// The property `AdvertisingFlags`: LE only, and general discoverable or not; nil in versions without it.
    private var shownFlags: Variant? {
        host.fleet.version.showsStates ? .bytes([peripheral.model.advertising.isDiscoverable ? 6 : 4]) : nil
    }

    private var manufacturerDictionary: Variant {
        let entries = advertised.manufacturerData.sorted { $0.key < $1.key }.map { company, data in
            Variant.Entry(.uint16(company), .variant(.bytes(data)))
        }
        return .dictionary(entries, key: "q", value: "v")
    }

    private var serviceDictionary: Variant {
        .properties(
            Dictionary(
                uniqueKeysWithValues: advertised.serviceData.map { ($0.key.fullDescription, Variant.bytes($0.value)) }))
    }
}
