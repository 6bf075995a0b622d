import Bluetooth
import DBus
import TestSupport
import TestTraits
import Testing

@testable import BlueZ

@Suite(.ownThreads) struct DiscoveringTests {
    @Test func `discoverServices finds objects that arrive after ServicesResolved`() throws {
        let fleet = oneSensor.replacing(
            "  other:", with: "    faults: [resolved too early]\n  other:")
        let services = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            return try await sensor.discoverServices([UUID(0x181A as UInt16)])
        }
        #expect(services.flatMap(\.characteristics).map(\.uuid.short) == [0x2A6E])
    }

    @Test func `discoverServices rejects a peripheral with more than 2,000 attributes`() throws {
        let additions = (1...2_000).map {
            "          - {uuid: \(String(0xF000 + $0 % 0x800, radix: 16)), flags: [read], hex: \"00\"}"
        }
        let fleet = oneSensor.replacingOnce(
            "          - {uuid: temperature",
            with: (additions + ["          - {uuid: temperature"]).joined(separator: "\n"))
        let error = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            do throws(CentralError) {
                _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
                return nil as CentralError?
            } catch {
                return error
            }
        }
        #expect(error?.code == .failed)
        #expect(error?.message.contains("up to 2000 are supported") == true, "\(error?.description ?? "no error")")
    }

    @Test func `AttributeCache ignores attributes beyond the limit until all are removed`() {
        let cache = AttributeCache()
        func path(_ number: Int) -> String { "/org/bluez/hci0/dev/service\(10_000 + number)" }
        func add(_ numbers: Range<Int>) {
            for number in numbers {
                cache.add([BlueZName.gattService: .properties(["UUID": .string("181a")])], at: path(number))
            }
        }
        add(0..<2_000)
        #expect(!cache.exceedsLimit)
        add(2_000..<30_000)
        #expect(cache.exceedsLimit)
        #expect(cache.services(nil, mtu: nil).count == 2_001)
        // The list would be complete only by chance.
        for number in 0..<1_500 { cache.remove(path(number)) }
        #expect(cache.exceedsLimit)
        for number in 1_500..<30_000 { cache.remove(path(number)) }
        #expect(!cache.exceedsLimit && cache.isEmpty)
        add(0..<1)
        #expect(!cache.exceedsLimit && !cache.isEmpty)
    }

    @Test func `AttributeTree returns 30,000 attributes in the order of their handles`() {
        var tree = AttributeTree()
        for service in (0..<10).reversed() {
            let path = "/org/bluez/hci0/dev/service000\(service)"
            tree.add([BlueZName.gattService: .properties(["UUID": .string("181a")])], at: path)
            for number in (1000..<2000).reversed() {
                let characteristic = "\(path)/char\(number)"
                tree.add([BlueZName.gattCharacteristic: .properties(["UUID": .string("2a6e")])], at: characteristic)
                for descriptor in ["desc0001", "desc0002"] {
                    tree.add(
                        [BlueZName.gattDescriptor: .properties(["UUID": .string("2901")])],
                        at: "\(characteristic)/\(descriptor)")
                }
            }
        }
        let services = tree.services(nil, mtu: 23)
        let characteristics = services.flatMap(\.characteristics)
        let descriptors = characteristics.flatMap(\.descriptors)
        let paths = (services.map(\.path), characteristics.map(\.path), descriptors.map(\.path))
        #expect(tree.count == 30_010)
        #expect((paths.0.count, paths.1.count, paths.2.count) == (10, 10_000, 20_000))
        #expect(paths.0 == paths.0.sorted() && paths.1 == paths.1.sorted() && paths.2 == paths.2.sorted())
        #expect(
            services.allSatisfy { service in service.characteristics.allSatisfy { $0.path.hasPrefix(service.path) } })
        #expect(characteristics.allSatisfy { owner in owner.descriptors.allSatisfy { $0.path.hasPrefix(owner.path) } })
    }
}
