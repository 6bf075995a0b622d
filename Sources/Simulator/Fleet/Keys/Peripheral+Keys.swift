import Bluetooth
import Configuration

extension SimulatedFleet.Peripheral {
    enum Keys {
        static let address = Key(required: "address", .address, example: "C0:00:00:00:00:01", "The address.")
        static let kind = Key("kind", Kind<AddressKind>.word, default: "random", "The type of the address.")
        static let identity = Key(
            "identity", .address, example: "00:00:5E:00:53:A1",
            "The identity address, which a bond reveals. The address is then private, for example 40:00:00:00:00:01.")
        static let name = Key(
            "name", .text, example: "Greenhouse", "The advertised name; default: the peripheral's name in this file.")
        static let deviceName = Key(
            "device_name", .text, example: "Sensor 7",
            "The name in the Generic Access service; default: the advertised name.")
        static let isNameless = Key("nameless", .boolean, default: "false", "Whether the advertisements have no name.")
        static let appearance = Key(
            "appearance", .integer(0...0xFFFF), example: "0x0540", "The appearance, a number from the SIG's list.")
        static let position = Key(
            "position", Kind<SimulatedFleet.Point>.point, example: "[4, 2]",
            """
            The position, in metres. An adapter then receives the strength rssi - 27 log10(d) + s, in dBm: d is the \
            distance of its host in metres, at least 1, and s a shadow of about 5 dB, which depends on the seed, the \
            peripheral and the host. It receives nothing below -95 dBm. Default: each adapter receives rssi.
            """)
        static let adapters = Key(
            "adapters", .list(of: .text), example: "[hci0]", "The adapters in range; default: all.")
        static let advertise = Key("advertise", SimulatedFleet.Advertising.kind, default: "{}", "The advertisements.")
        static let pairing = Key(
            "pairing", Kind<SimulatedFleet.Pairing>.pairing, default: "just works", example: "passkey 123456",
            "The pairing method: just works, passkey NUMBER, display, compare NUMBER or refused.")
        static let bonded = Key("bonded", .boolean, default: "false", "Whether the peripheral has a bond at the start.")
        static let mtu = Key("mtu", .integer(23...517), default: "517", example: "23", "The maximum ATT MTU, in bytes.")
        static let pace = Key("pace", Pace.kind, default: "{}", "The duration of each operation.")
        static let services = Key(
            "services", .list(of: SimulatedFleet.Service.kind), default: "[]", example: "[{uuid: 181A}]",
            "The services.")
        static let profile = Key(
            "profile", PlayedProfile.named, example: "jbd/battery",
            "The profile whose recorded answers and values the peripheral sends, in addition to services.")
        static let replay = Key(
            "replay", PlayedProfile.recorded, example: "battery.yaml",
            "The file with the recorded answers that the peripheral sends: bluefleet try --record writes it.")
        static let faults = Key(
            "faults", Kind<[Fault.Rule]>.faults, default: "[]", example: "[connect aborts]",
            Fault.Rule.meaning(Fault.allCases.filter { !Fault.ofAdapters.contains($0) }, example: .connectAborts))
        static let copies = Key(
            "copies", .integer(1...10_000), default: "1", example: "100",
            "The number of copies of this peripheral, with consecutive addresses and numbered names.")

        static let section = Section(
            "peripheral", address, kind, identity, name, deviceName, isNameless, appearance, position, adapters,
            advertise, pairing, bonded,
            mtu, pace, services, profile, replay, faults, copies)
    }

    static let named = Kind<[Named<PeripheralEntry?>]>.mappings(Keys.section) { name, reader in
        let copies = reader[Keys.copies]
        if name.value.unicodeScalars.contains("\0") {
            reader.mistakes.report("invalid name of a peripheral: it contains a NUL character", at: name.position)
        }
        return SimulatedFleet.Peripheral(name.value, reader).map { PeripheralEntry(model: $0, copies: copies) }
    }

    private init?(_ name: String, _ reader: MappingReader) {
        let played = reader[Keys.profile] ?? reader[Keys.replay]
        if reader.has(Keys.profile), reader.has(Keys.replay) {
            reader.report("both 'profile' and 'replay' are given: remove one of them", at: Keys.replay)
        }
        let services = reader[Keys.services] + (played.map { PlayedServices($0).services } ?? [])
        Self.check(services, reader)
        let match = played?.recognition.first
        let localName = reader[Keys.name] ?? match?.exampleName ?? name
        guard let address = reader[Keys.address] else { return nil }
        self.init(
            name: name, address: address, kind: reader[Keys.kind], identity: reader[Keys.identity],
            localName: reader[Keys.isNameless] ? nil : localName, deviceName: reader[Keys.deviceName] ?? localName,
            appearance: reader[Keys.appearance].map { UInt16($0) }, position: reader[Keys.position],
            adapters: reader[Keys.adapters],
            advertising: reader[Keys.advertise].matching(match), pairing: reader[Keys.pairing],
            isBonded: reader[Keys.bonded],
            mtu: UInt16(reader[Keys.mtu]), pace: reader[Keys.pace], services: services, faults: reader[Keys.faults])
        let size = AttributeDatabase.size(of: self)
        if size > AttributeDatabase.capacity {
            reader.report(
                "too many attributes: \(size); a peripheral has at most \(AttributeDatabase.capacity) handles",
                at: Keys.services)
        }
    }

    private static func check(_ services: [SimulatedFleet.Service], _ reader: MappingReader) {
        let uuids = services.map(\.uuid)
        let characteristics = services.flatMap(\.characteristics)
        for uuid in services.flatMap(\.includes) where !uuids.contains(uuid) {
            reader.report(
                "unknown included service \(uuid): add it to the services of this peripheral", at: Keys.services)
        }
        for uuid in characteristics.compactMap(\.mirror) where !characteristics.contains(where: { $0.uuid == uuid }) {
            reader.report(
                "unknown mirror \(uuid): add this characteristic to a service of this peripheral", at: Keys.services)
        }
    }
}

extension Configuration.FleetRule.Match {
    /// A name that fits; nil: any name does.
    fileprivate var exampleName: String? {
        name.map { String($0.pattern.map { "*?".contains($0) ? "1" : $0 }) }
    }
}

extension SimulatedFleet.Advertising {
    /// Returns the advertisements with the services and the company by which a profile recognizes the device.
    fileprivate func matching(_ match: Configuration.FleetRule.Match?) -> Self {
        guard let match else { return self }
        var advertising = self
        if services.isEmpty { advertising.services = match.services }
        if let company = match.manufacturer, !manufacturerData.contains(where: { $0.0 == company }) {
            advertising.manufacturerData.append((company, [[0]]))
        }
        return advertising
    }
}

extension Kind where Value == SimulatedFleet.Pairing {
    fileprivate static var pairing: Kind {
        scalar("just works | passkey NUMBER | display | compare NUMBER | refused") { text, _ throws(InvalidValue) in
            let words = text.split(separator: " ")
            let number = words.count == 2 ? UInt32(words[1]) : nil
            switch (words.first, number) {
            case ("just", _) where text == "just works": return .justWorks
            case ("display", _) where words.count == 1: return .passkeyDisplay
            case ("refused", _) where words.count == 1: return .refused
            case ("passkey", let number?) where number <= 999_999: return .passkeyEntry(number)
            case ("compare", let number?) where number <= 999_999: return .numericComparison(number)
            default:
                throw InvalidValue(
                    expected: ["just works", "passkey 123456", "display", "compare 123456", "refused"], found: text)
            }
        }
    }
}
