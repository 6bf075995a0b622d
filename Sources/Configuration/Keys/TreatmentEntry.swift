import Bluetooth
import Codec

extension Configuration {
    /// A treatment as it stands in the file: with the places of the names that refer to each other.
    struct TreatmentEntry {
        let treatment: Treatment
        /// Nil for those with a mistake.
        let characteristics: [Named<Characteristic?>]
        /// What its own formats of advertisements tell.
        let advertised: [Located<String>]
        private let until: [Located<String>]

        init(_ reader: MappingReader) {
            typealias Keys = Treatment.Keys
            let until = reader[Keys.until]
            let advertisements = reader[Keys.advertisement]
            characteristics = reader[Keys.characteristics]
            advertised = advertisements.flatMap(\.names)
            self.until = until ?? []
            treatment = Treatment(
                connect: reader[Keys.connect], until: until?.map(\.value), within: reader[Keys.within],
                hold: reader[Keys.hold], quiet: reader[Keys.quiet], pair: reader[Keys.pair],
                passkeyFile: reader[Keys.passkeyFile], keyFile: reader[Keys.keyFile],
                characteristics: characteristics.compactMap(\.value), advertisements: advertisements.map(\.format),
                publish: reader[Keys.publish])
        }
    }
}

extension Configuration.TreatmentEntry {
    /// Reports what does not go together.
    func check(_ reader: MappingReader) {
        typealias Keys = Configuration.Treatment.Keys
        let names = characteristics.map(\.name)
        for name in until where !names.contains(name.value) {
            reader.mistakes.reportUnknown("characteristic", name.value, among: names, at: name.position)
        }
        if treatment.connect == .never, let first = names.first {
            reader.report(
                "a device that is never connected has no use for characteristics such as \(first.quotedForMessage)",
                at: Keys.connect)
        }
        if treatment.passkeyFile != nil, !treatment.pair {
            reader.report("a passkey is for a bond: add pair: true", at: Keys.passkeyFile)
        }
        let advertised = advertised.map(\.value)
        for entry in characteristics where advertised.contains(entry.name) {
            reader.mistakes.report(
                "\(entry.name.quotedForMessage) is advertised too, and would share a topic: rename one",
                at: entry.position)
        }
        checkPlaces(reader.mistakes)
        checkIdentifiers(reader.mistakes)
        warnOfIdleKeys(reader)
    }

    /// Warns of keys of the device's own about a link that it never has, or about advertisements that nobody reads.
    private func warnOfIdleKeys(_ reader: MappingReader) {
        typealias Keys = Configuration.Treatment.Keys
        func warn<Value>(_ key: Key<Value>, _ reason: String) {
            if reader.hasItself(key) { reader.warn("\(key.row.name) has no effect here: \(reason)", at: key) }
        }
        if treatment.connect == .never {
            let reason = "the device is never connected"
            warn(Keys.within, reason)
            warn(Keys.hold, reason)
            warn(Keys.quiet, reason)
            warn(Keys.pair, reason)
        }
        if !treatment.listensToAdvertisements {
            warn(
                Keys.publish,
                "it is about advertisements, and those of this device are not read; characteristics have a publish "
                    + "of their own")
        }
    }

    /// Reports characteristics that are one and the same to the device.
    private func checkPlaces(_ mistakes: Mistakes) {
        struct Place: Hashable {
            let service: UUID?
            let uuid: UUID
            let instance: Int
        }
        var names: [Place: String] = [:]
        for entry in characteristics {
            guard let characteristic = entry.value else { continue }
            let place = Place(
                service: characteristic.service, uuid: characteristic.uuid, instance: characteristic.instance)
            guard let other = names.updateValue(entry.name, forKey: place) else { continue }
            mistakes.report(
                "\(entry.name.quotedForMessage) is the same characteristic as \(other.quotedForMessage): "
                    + "both are \(place.uuid); instance tells several apart", at: entry.position)
        }
    }

    /// Reports characteristics, fields of one, and what is advertised, that are one and the same to Home Assistant.
    private func checkIdentifiers(_ mistakes: Mistakes) {
        Self.checkIdentifiers(characteristics.map { ($0.name, $0.position) }, mistakes)
        Self.checkIdentifiers(advertised.map { ($0.value, $0.position) }, mistakes)
        for entry in characteristics {
            let fields = entry.value?.format?.quantities.map(\.name) ?? []
            Self.checkIdentifiers(fields.map { ($0, entry.position) }, mistakes)
        }
    }

    private static func checkIdentifiers(_ entries: [(name: String, position: Position)], _ mistakes: Mistakes) {
        var names: [String: String] = [:]
        for (name, position) in entries {
            let identifier = Configuration.HomeAssistant.identifier(for: name)
            guard let other = names.updateValue(name, forKey: identifier), other != name else { continue }
            mistakes.report(
                "Home Assistant cannot tell \(name.quotedForMessage) from \(other.quotedForMessage): "
                    + "it knows both as \(identifier.quotedForMessage)", at: position)
        }
    }
}
