import Bluetooth
import DBus
import TestSupport
import Testing

@testable import bluefleet

@Suite struct AdapterChecksTests {
    private let adapter = AdapterChecks(
        path: "/org/bluez/hci0", address: Address(0x0000_5E00_5301), properties: [:], objects: [:])
    private static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    /// Returns the device that is seen by a change of properties.
    private func seen(at path: String, _ interface: String, _ changed: [String: Variant]) throws -> String? {
        let arguments: [Variant] = [.string(interface), .properties(changed), .strings([])]
        return adapter.deviceSeen(
            by: try Message(signal: "PropertiesChanged", on: "org.freedesktop.DBus.Properties", at: path, arguments))
    }

    /// Returns the device that is seen by an added object.
    private func seen(adding path: String, _ interface: String) throws -> String? {
        let interfaces = Variant.dictionary(
            [.init(.string(interface), .properties(["Address": .string("")]))], key: "s", value: "a{sv}")
        return adapter.deviceSeen(
            by: try Message(
                signal: "InterfacesAdded", on: "org.freedesktop.DBus.ObjectManager", at: "/",
                [.objectPath(path), interfaces]))
    }

    @Test func `a device is seen by the properties of an advertisement`() throws {
        #expect(try seen(adding: Self.device, "org.bluez.Device1") == Self.device)
        let packets: [[String: Variant]] = [
            ["RSSI": .int16(-60)], ["ManufacturerData": .dictionary([], key: "q", value: "v")],
            ["ServiceData": .properties([:])],
        ]
        for packet in packets {
            #expect(try seen(at: Self.device, "org.bluez.Device1", packet) == Self.device)
        }
    }

    @Test func `changes of a connection are not advertisements`() throws {
        #expect(try seen(at: Self.device, "org.bluez.Device1", ["Connected": .boolean(true)]) == nil)
        #expect(try seen(at: Self.device, "org.bluez.Battery1", ["Percentage": .byte(93)]) == nil)
        let characteristic = Self.device + "/service0010/char0011"
        #expect(try seen(at: characteristic, "org.bluez.GattCharacteristic1", ["Value": .bytes([1])]) == nil)
        #expect(try seen(adding: characteristic, "org.bluez.GattCharacteristic1") == nil)
    }

    @Test func `devices of another adapter are ignored`() throws {
        let other = "/org/bluez/hci01/dev_C0_00_00_00_00_01"
        #expect(try seen(adding: other, "org.bluez.Device1") == nil)
        #expect(try seen(at: other, "org.bluez.Device1", ["RSSI": .int16(-60)]) == nil)
        #expect(try seen(at: "/org/bluez/hci0", "org.bluez.Adapter1", ["Discovering": .boolean(true)]) == nil)
    }
}
