import Bluetooth
import DBus
import Testing

@testable import bluefleet

@Suite struct ExaminedAdapterTests {
    private let adapter = ExaminedAdapter(
        path: "/org/bluez/hci0", address: Address("00:00:5E:00:53:01")!, properties: [:], objects: [:])
    private static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    /// Which device is heard where properties of an object change.
    private func heard(at path: String, _ interface: String, _ changed: [String: Variant]) throws -> String? {
        let arguments: [Variant] = [.string(interface), .properties(changed), .strings([])]
        return adapter.deviceHeard(
            by: try Message(signal: "PropertiesChanged", on: "org.freedesktop.DBus.Properties", at: path, arguments))
    }

    /// Which device is heard where an object is added.
    private func heard(adding path: String, _ interface: String) throws -> String? {
        let interfaces = Variant.dictionary(
            [.init(.string(interface), .properties(["Address": .string("")]))], key: "s", value: "a{sv}")
        return adapter.deviceHeard(
            by: try Message(
                signal: "InterfacesAdded", on: "org.freedesktop.DBus.ObjectManager", at: "/",
                [.objectPath(path), interfaces]))
    }

    @Test func `a device is heard by what comes in its packets`() throws {
        #expect(try heard(adding: Self.device, "org.bluez.Device1") == Self.device)
        let packets: [[String: Variant]] = [
            ["RSSI": .int16(-60)], ["ManufacturerData": .dictionary([], key: "q", value: "v")],
            ["ServiceData": .properties([:])],
        ]
        for packet in packets {
            #expect(try heard(at: Self.device, "org.bluez.Device1", packet) == Self.device)
        }
    }

    @Test func `what comes over a link says nothing of the scan`() throws {
        #expect(try heard(at: Self.device, "org.bluez.Device1", ["Connected": .boolean(true)]) == nil)
        #expect(try heard(at: Self.device, "org.bluez.Battery1", ["Percentage": .byte(93)]) == nil)
        let characteristic = Self.device + "/service0010/char0011"
        #expect(try heard(at: characteristic, "org.bluez.GattCharacteristic1", ["Value": .bytes([1])]) == nil)
        #expect(try heard(adding: characteristic, "org.bluez.GattCharacteristic1") == nil)
    }

    @Test func `another adapter's devices are not this one's`() throws {
        let other = "/org/bluez/hci01/dev_C0_00_00_00_00_01"
        #expect(try heard(adding: other, "org.bluez.Device1") == nil)
        #expect(try heard(at: other, "org.bluez.Device1", ["RSSI": .int16(-60)]) == nil)
        #expect(try heard(at: "/org/bluez/hci0", "org.bluez.Adapter1", ["Discovering": .boolean(true)]) == nil)
    }
}
