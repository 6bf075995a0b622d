import Bluetooth
import DBus

extension AdapterObject {
    static let adapter = InterfaceTable<AdapterObject>(
        "org.bluez.Adapter1",
        properties: [
            .init("Address", "s") { .string($0.model.address.description) },
            .init("AddressType", "s") { _ in .string("public") },
            .init("Name", "s") { .string($0.name) },
            .init("Alias", "s") {
                .string($0.settings.alias)
            } write: { adapter, value, call in
                let alias = value.text ?? ""
                adapter.update { $0.alias = alias.isEmpty ? adapter.name : alias }
                adapter.changed("Alias")
                call.reply()
            },
            .init("Class", "u") { _ in .uint32(0) },
            .init("Powered", "b") {
                .boolean($0.isPowered)
            } write: { adapter, value, call throws(DBusError) in
                try adapter.setPower(value.boolean ?? false, for: call)
            },
            .init("PowerState", "s") { $0.shownPowerState },
            .init("Connectable", "b") { $0.detail(.boolean(false)) },
            .init("Manufacturer", "q") { $0.detail(.uint16(0xFFFF)) },
            .init("Version", "y") { $0.detail(.byte(9)) },
            .init("Discoverable", "b") {
                .boolean($0.settings.isDiscoverable)
            } write: { adapter, value, call in
                adapter.update { $0.isDiscoverable = value.boolean ?? false }
                call.reply()
                adapter.changed("Discoverable")
            },
            .init("DiscoverableTimeout", "u") {
                .uint32($0.settings.discoverableTimeout)
            } write: { adapter, value, call in
                adapter.update { $0.discoverableTimeout = UInt32(clamping: value.integer ?? 0) }
                call.reply()
                adapter.changed("DiscoverableTimeout")
            },
            .init("Pairable", "b") {
                .boolean($0.settings.isPairable)
            } write: { adapter, value, call in
                adapter.update { $0.isPairable = value.boolean ?? false }
                call.reply()
                adapter.changed("Pairable")
            },
            .init("PairableTimeout", "u") {
                .uint32($0.settings.pairableTimeout)
            } write: { adapter, value, call in
                adapter.update { $0.pairableTimeout = UInt32(clamping: value.integer ?? 0) }
                call.reply()
                adapter.changed("PairableTimeout")
            },
            .init("Discovering", "b") { .boolean($0.discovery.isListening) },
            .init("UUIDs", "as") { _ in .strings(AdapterObject.services) },
            .init("Modalias", "s") { .string("usb:v1D6Bp0246d\($0.host.fleet.version.modaliasDevice)") },
            .init("Roles", "as") { .strings($0.model.roles) },
        ],
        methods: [
            .init("StartDiscovery") { adapter, call throws(DBusError) in try adapter.discovery.start(call) },
            .init("SetDiscoveryFilter", takes: "a{sv}") { adapter, call throws(DBusError) in
                try adapter.discovery.setFilter(call)
            },
            .init("StopDiscovery") { adapter, call throws(DBusError) in try adapter.discovery.stop(call) },
            .init("RemoveDevice", takes: "o") { adapter, call throws(DBusError) in try adapter.removeDevice(call) },
            .init("GetDiscoveryFilters", gives: "as") { adapter, call in
                call.reply(.strings(DiscoveryFilter.knownKeys(of: adapter.host.fleet.version)))
            },
        ])

    // Interfaces that other clients expect; the simulator does not implement their methods.
    static let gattManager = InterfaceTable<AdapterObject>("org.bluez.GattManager1")

    static let media = InterfaceTable<AdapterObject>(
        "org.bluez.Media1",
        properties: [
            .init("SupportedUUIDs", "as") {
                let isOlder = $0.host.fleet.version == .bookworm
                return .strings(
                    isOlder ? ["0000110a-0000-1000-8000-00805f9b34fb", "0000110b-0000-1000-8000-00805f9b34fb"] : [])
            },
            .init("SupportedFeatures", "as") {
                $0.host.fleet.version.showsMediaFeatures ? .strings(["tx-timestamping"]) : nil
            },
        ])

    static let batteryProviderManager = InterfaceTable<AdapterObject>("org.bluez.BatteryProviderManager1")

    static let advertisingManager = InterfaceTable<AdapterObject>(
        "org.bluez.LEAdvertisingManager1",
        properties: [
            .init("ActiveInstances", "y") { .byte(UInt8(clamping: $0.advertisements.count)) },
            .init("SupportedInstances", "y") {
                .byte(UInt8(clamping: $0.model.advertisements - $0.advertisements.count))
            },
            .init("SupportedIncludes", "as") { _ in .strings(["tx-power", "appearance", "local-name"]) },
            .init("SupportedFeatures", "as") { $0.detail(.strings([])) },
            .init("SupportedCapabilities", "a{sv}") {
                $0.detail(
                    .properties([
                        "MinTxPower": .int16(0), "MaxTxPower": .int16(0), "MaxAdvLen": .byte(31),
                        "MaxScnRspLen": .byte(31),
                    ]))
            },
        ],
        methods: [
            .init("RegisterAdvertisement", takes: "oa{sv}") { adapter, call throws(DBusError) in
                try adapter.advertisements.register(call)
            },
            .init("UnregisterAdvertisement", takes: "o") { adapter, call throws(DBusError) in
                try adapter.advertisements.unregister(call)
            },
        ])

    private var shownPowerState: Variant? {
        guard host.fleet.version.showsStates else { return nil }
        if isChangingPower { return .string(isPowered ? "on-disabling" : "off-enabling") }
        return .string(isPowered ? "on" : faults.isPlanned(.powerBlocked) ? "off-blocked" : "off")
    }

    private func detail(_ value: Variant) -> Variant? {
        host.fleet.version.showsAdapterDetails ? value : nil
    }

    /// The UUIDs of the services that bluetoothd itself offers.
    private static let services = [
        "00001801-0000-1000-8000-00805f9b34fb", "00001800-0000-1000-8000-00805f9b34fb",
        "00001200-0000-1000-8000-00805f9b34fb", "0000110c-0000-1000-8000-00805f9b34fb",
        "0000110e-0000-1000-8000-00805f9b34fb", "0000180a-0000-1000-8000-00805f9b34fb",
    ]
}
