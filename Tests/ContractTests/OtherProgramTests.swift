import Bluetooth
import JSON
import System
import Testing

@testable import Contract

/// Payloads as other programs read them; the gateway can have another version.
@Suite struct OtherProgramTests {
    private static let time = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func `a device in the list is read as it was written`() throws {
        let entry = DeviceList.Entry(
            name: "a", address: Address(1), source: .adopted, profile: "climate", connect: "every 10m", options: nil,
            availability: Availability(state: .stale, reason: "text"), since: Self.time)
        let list = try #require(ListedDevice.list(DeviceList(devices: [entry], removed: []).json))
        #expect(list.count == 1)
        #expect(list[0].name == "a" && list[0].address == "\(Address(1))" && list[0].profile == "climate")
        #expect(list[0].availability == entry.availability && list[0].since == Self.time)
        #expect(try JSON(parsing: list[0].text)["connect"] == "every 10m")
    }

    @Test func `values that this version does not know leave the others of a device`() throws {
        let later: JSON = [
            "devices": [
                ["name": "a", "address": "00:11", "availability": ["state": "dreaming", "since": .text(Self.time)]],
                ["address": "C0:00:00:00:00:01"], 5,
            ]
        ]
        let list = try #require(ListedDevice.list(later))
        #expect(list.map(\.name) == ["a"])
        #expect(list[0].address == "00:11" && list[0].availability == nil && list[0].since == nil)
        #expect(ListedDevice.list(["devices": 5]) == nil)
    }

    @Test func `the description of a device is read as it was written, or without what is missing`() throws {
        let info = DeviceInfo(
            name: "a", gateway: "attic", address: Address(1), identity: nil, DeviceIdentity(),
            [
                .init(
                    name: "button", uuid: 0x2A56, service: nil, canRead: false, canWrite: true, canSubscribe: false,
                    state: "lamp", flags: nil, fields: [.init(name: "button", unit: "%")])
            ], advertisement: nil)
        let device = try #require(DescribedDevice(info.json))
        #expect(device.name == "a" && device.gateway == "attic" && device.address == "\(Address(1))")
        let button = try #require(device.characteristics.first)
        #expect(button.canWrite && button.state == "lamp" && button.fields == info.characteristics[0].fields)
        let short = try #require(DescribedDevice(["name": "b", "characteristics": ["x": [:]]]))
        #expect(short.gateway == nil && short.characteristics.map(\.name) == ["x"])
        #expect(!short.characteristics[0].canWrite)
        #expect(DescribedDevice(["gateway": "attic"]) == nil)
    }

    @Test func `the description of a gateway is read, or without what is missing`() {
        let info = GatewayInfo(
            version: "1.0", started: Self.time, bluetooth: .poweredOn, reason: "", adapters: [], deviceCount: 2)
        let gateway = DescribedGateway(info.json)
        #expect(gateway.version == "1.0" && gateway.started == Self.time && gateway.bluetooth == "poweredOn")
        #expect(DescribedGateway(["bluetooth": "later"]).bluetooth == "later")
    }

    @Test func `an event is read as it was written`() throws {
        let repair = GatewayEvent.repair(.powerCycle, adapter: "hci0", reason: "stuck", device: "a")
        let event = try #require(ReceivedEvent(repair.json(at: Self.time)))
        #expect(event.type == "repair" && event.device == "a")
        #expect(event.repair?.adapter == "hci0" && event.repair?.step == "power_cycle")
        let other = try #require(ReceivedEvent(["type": "later", "adapter": "hci0", "repair": "x"]))
        #expect(other.device == nil && other.repair == nil)
        #expect(ReceivedEvent(["device": "a"]) == nil)
    }

    @Test func `the fields of a reading do not contain what marks it`() {
        let marks = ReadingMarks(adjusted: .value, isDerived: true, samples: 2)
        #expect(Set(marks.members.map(\.name)) == ReadingMarks.names)
        func names(_ payload: JSON) -> [String] { ReadingPayload.fields(of: payload.object ?? [:]).map(\.name) }
        #expect(names(["x": 1, "number": 2, "adjusted": ["x"], "samples": 3, "time": "t"]) == ["x", "number"])
        // A field may have the name of a member that only late readings have.
        #expect(names(["x": 1, "id": 2, "time": "t"]) == ["x", "id"])
        let late = LatePayload(["x": 1], at: Self.time, isTimeUncertain: true, id: 7)
        #expect(names(late.json) == ["x"])
    }

    @Test func `a value is given as bytes in two forms`() {
        #expect(ByteValue(["hex": "0a 01"])?.bytes == [10, 1])
        #expect(ByteValue(["base64": "CgE="])?.bytes == [10, 1])
        #expect(ByteValue(["hex": "0"]) == .hexadecimal("0") && ByteValue(["hex": "0"])?.bytes == nil)
        for other in [["hex": 5], ["hex": "0a", "x": 1], ["digits": "0a"], "0a", 10] as [JSON] {
            #expect(ByteValue(other) == nil, "\(other)")
        }
    }
}
