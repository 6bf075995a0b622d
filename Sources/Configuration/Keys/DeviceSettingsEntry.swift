import Bluetooth
import Codec
import System

extension Configuration {
    /// The settings of a device in the file, with the positions of names.
    struct DeviceSettingsEntry {
        let settings: DeviceSettings
        /// The characteristics by name; the value is nil for a characteristic with a mistake.
        let characteristics: [Named<Characteristic?>]
        /// The names of the fields in the configured advertisement formats.
        let advertised: [Located<String>]
        /// The corrections and the derived values by name, with their positions.
        let adjusted: [Named<Adjustment.Rule>]
        let derived: [Named<DerivedValue>]
        private let until: [Located<String>]

        init(_ reader: MappingReader) {
            typealias Keys = DeviceSettings.Keys
            let exchanges = Exchanges(reader)
            let until = reader[Keys.until].map { names in
                names.filter { !exchanges.removed.contains($0.value) }
            }
            let advertisements = reader[Keys.advertisement]
            characteristics = exchanges.characteristics
            advertised = advertisements?.flatMap(\.names) ?? []
            self.until = until ?? []
            let parameters = Self.parameters(reader[Keys.with])
            let values = ParameterNumbers(
                parameters, beside: characteristics, advertised, readsAdvertisements: advertisements != nil)
            (adjusted, derived) = (values.replaced(in: reader[Keys.adjust]), values.replaced(in: reader[Keys.derive]))
            let quantities = reader[Keys.quantities]
            // Without characteristics, a connection would be of no use.
            let connect =
                reader.has(Keys.connect) || !characteristics.isEmpty ? reader[Keys.connect] : ConnectPolicy.onDemand
            settings = DeviceSettings(
                profile: reader[Profile.key], connect: connect, until: until?.map(\.value), within: reader[Keys.within],
                hold: reader[Keys.hold], quiet: reader[Keys.quiet], expect: reader[Keys.expect],
                isOccasional: reader[Keys.occasional], pair: reader[Keys.pair], renewBond: reader[Keys.renewBond],
                passkeyFile: reader[Keys.passkeyFile], keyFile: reader[Keys.keyFile], pinFile: reader[Keys.pinFile],
                cipher: reader[Keys.cipher], parameters: parameters, first: exchanges.first,
                characteristics: characteristics.compactMap(\.value),
                advertisements: advertisements?.map(\.format) ?? [],
                readsAdvertisements: advertisements != nil, medium: reader[Keys.medium],
                keep: reader[Keys.keep], publish: reader[Keys.publish],
                adjustments: Self.adjustments(adjusted), derivedValues: derived.map(\.value),
                label: DeviceLabel(
                    title: reader[Keys.title], area: reader[Keys.area], icon: reader[Keys.icon],
                    manufacturer: reader[Keys.manufacturer], model: reader[Keys.model]),
                quantityLabels: Self.parts(quantities, \.label), quantityFields: Self.parts(quantities, \.field),
                quantityRules: Self.rules(quantities),
                fieldLabels: Dictionary((advertisements ?? []).flatMap(\.labels)) { $1 })
        }

        /// Returns the values of `with`: a number, or any other text.
        private static func parameters(_ entries: [Named<String>]) -> Environment {
            Environment(
                Dictionary(
                    entries.map { ($0.name, Decimal($0.value).map { .number($0) } ?? .string($0.value)) },
                    uniquingKeysWith: { $1 }))
        }

        private static func adjustments(_ entries: [Named<Adjustment.Rule>]) -> [Adjustment] {
            entries.map { Adjustment(name: $0.name, rule: $0.value) }
        }

        private static func parts<Part>(
            _ entries: [Named<QuantityEntry>], _ part: (QuantityEntry) -> Part?
        ) -> [String: Part] {
            Dictionary(entries.compactMap { entry in part(entry.value).map { (entry.name, $0) } }) { $1 }
        }

        private static func rules(_ entries: [Named<QuantityEntry>]) -> [String: QuantityRules] {
            parts(entries) { $0.rules.isEmpty ? nil : $0.rules }
        }

        /// Creates an entry with the settings of a device, some of which are replaced by the options of a reader.
        init(_ base: DeviceSettings, replacedBy reader: MappingReader) {
            typealias Keys = DeviceSettings.Keys
            func value<Value>(_ key: Key<Value>, else old: Value) -> Value { reader.has(key) ? reader[key] : old }
            let position = reader.position
            let until = value(Keys.until, else: base.until?.map { Located($0, at: position) })
            let quantities = reader.has(Keys.quantities) ? reader[Keys.quantities] : nil
            let changes = reader[Keys.characteristicOptions]
            let names = base.characteristics.map(\.name)
            for change in changes where !names.contains(change.name) {
                reader.mistakes.reportUnknown("characteristic", change.name, among: names, at: change.position)
            }
            let changed = base.characteristics.map { characteristic in
                changes.last { $0.name == characteristic.name }?.value.applied(to: characteristic) ?? characteristic
            }
            characteristics = changed.map { Named(name: $0.name, position: position, value: $0) }
            advertised = base.advertisements.flatMap(\.quantities).map { Located($0.name, at: position) }
            self.until = until ?? []
            let values = ParameterNumbers(
                base.parameters, beside: characteristics, advertised, readsAdvertisements: base.readsAdvertisements)
            adjusted =
                reader.has(Keys.adjust)
                ? values.replaced(in: reader[Keys.adjust])
                : base.adjustments.map { Named(name: $0.name, position: position, value: $0.rule) }
            derived = base.derivedValues.map { Named(name: $0.name, position: position, value: $0) }
            settings = DeviceSettings(
                profile: base.profile, connect: value(Keys.connect, else: base.connect), until: until?.map(\.value),
                within: value(Keys.within, else: base.within), hold: value(Keys.hold, else: base.hold),
                quiet: value(Keys.quiet, else: base.quiet), expect: value(Keys.expect, else: base.expect),
                isOccasional: value(Keys.occasional, else: base.isOccasional), pair: value(Keys.pair, else: base.pair),
                renewBond: base.renewBond, passkeyFile: base.passkeyFile,
                keyFile: base.keyFile, pinFile: base.pinFile, cipher: base.cipher, parameters: base.parameters,
                first: base.first,
                characteristics: changed, advertisements: base.advertisements,
                readsAdvertisements: base.readsAdvertisements, medium: base.medium,
                keep: value(Keys.keep, else: base.keep),
                publish: value(Keys.publish, else: base.publish),
                adjustments: Self.adjustments(adjusted), derivedValues: base.derivedValues,
                label: DeviceLabel(
                    title: value(Keys.title, else: base.label.title), area: value(Keys.area, else: base.label.area),
                    icon: value(Keys.icon, else: base.label.icon),
                    manufacturer: value(Keys.manufacturer, else: base.label.manufacturer),
                    model: value(Keys.model, else: base.label.model)),
                quantityLabels: quantities.map { Self.parts($0, \.label) } ?? base.quantityLabels,
                quantityFields: quantities.map { Self.parts($0, \.field) } ?? base.quantityFields,
                quantityRules: quantities.map(Self.rules) ?? base.quantityRules,
                fieldLabels: base.fieldLabels)
        }
    }
}

/// The characteristics and the first questions of a device, with the defaults of the device.
private struct Exchanges {
    let characteristics: [Named<Configuration.Characteristic?>]
    let first: [Configuration.FirstQuestion]
    /// The names of the characteristics that the device removes from its profile.
    let removed: [String]

    init(_ reader: MappingReader) {
        typealias Keys = Configuration.DeviceSettings.Keys
        // The values are read here, so that mistakes in the defaults are reported even if no entry uses them.
        _ = (reader[Keys.ask], reader[Keys.answer], reader[Keys.first])
        let endian = reader[Keys.endian]
        let defaults = ExchangeDefaults(
            ask: reader.node(of: Keys.ask), answer: reader.node(of: Keys.answer),
            endian: reader.has(Keys.endian) ? reader.node(of: Keys.endian) : nil)
        var own = reader.node(of: Keys.characteristics)
        removed = reader.node(of: Profile.key) == nil ? [] : own?.namesOfRemovedEntries ?? []
        if !removed.isEmpty { own = own?.withoutRemovedEntries }
        let node = own.map { defaults.applied(toCharacteristics: $0) }
        let names = ExchangeNames(node, parameters: reader[Keys.with])
        characteristics =
            node.flatMap { $0.isNull ? nil : Configuration.Characteristic.named(names).read($0, reader.mistakes) } ?? []
        first =
            reader.node(of: Keys.first).map { first in
                Configuration.FirstQuestion.read(
                    defaults.applied(toFirst: first), endian: endian, names, reader.mistakes)
            } ?? []
    }
}

extension Configuration.DeviceSettingsEntry {
    /// Reports conflicts between the settings.
    func check(_ reader: MappingReader) {
        typealias Keys = Configuration.DeviceSettings.Keys
        let names = characteristics.map(\.name)
        for name in until where !names.contains(name.value) {
            reader.mistakes.reportUnknown("characteristic", name.value, among: names, at: name.position)
        }
        if settings.connect == .never, let first = names.first {
            reader.report(
                "connect: never excludes characteristics such as \(first.quotedForMessage): change connect, or remove "
                    + "them", at: Keys.connect)
        }
        if settings.passkeyFile != nil, !settings.pair {
            reader.report("a passkey requires a bond: add pair: true", at: Keys.passkeyFile)
        }
        let advertised = advertised.map(\.value)
        for entry in characteristics where advertised.contains(entry.name) {
            reader.mistakes.report(
                "\(entry.name.quotedForMessage) is also an advertised field and would share its topic: rename one",
                at: entry.position)
        }
        checkValues(reader)
        checkStates(reader)
        checkDuplicates(reader.mistakes)
        checkExchanges(reader.mistakes)
        checkCipher(reader)
        checkIdentifiers(reader.mistakes)
        warnAboutUnusedKeys(reader)
        checkQuantities(reader)
        warnAboutUnusedCharacteristics(reader.mistakes)
        warnAboutShortInterval(reader)
    }

    /// Reports states of writable characteristics that name no characteristic, or one whose values do not fit.
    private func checkStates(_ reader: MappingReader) {
        let key = Configuration.DeviceSettings.Keys.characteristics
        for entry in characteristics {
            guard let characteristic = entry.value, characteristic.write != nil, let name = characteristic.state else {
                continue
            }
            let position = reader.node(of: key)?[entry.name]?["state"]?.position ?? entry.position
            guard let state = Configuration.StateReference(name, among: settings.characteristics) else {
                // A characteristic with a mistake has been reported.
                if characteristics.contains(where: { $0.name == name && $0.value == nil }) { continue }
                reader.mistakes.reportUnknown(
                    "characteristic", name, among: characteristics.map(\.name), at: position)
                continue
            }
            if let problem = characteristic.problem(with: state) { reader.mistakes.report(problem, at: position) }
        }
    }

    /// Warns about quantities that neither a built-in format nor a format of the device has, and reports wrong units.
    private func checkQuantities(_ reader: MappingReader) {
        let key = Configuration.DeviceSettings.Keys.quantities
        guard reader.has(key), settings.listensToAdvertisements,
            case .mapping(let entries)? = reader.node(of: key)?.content
        else { return }
        let known = Advertisements.quantityNames.union(advertised.map(\.value)).sorted()
        for entry in entries {
            let name = entry.key
            // Repeated objects have a number after their name, e.g. temperature_2.
            let number = name.split(separator: "_").last.flatMap { Int($0) }
            let single = number.map { String(name.dropLast("_\($0)".count)) } ?? name
            guard !known.contains(name), !known.contains(single) else {
                checkUnit(of: entry, known.contains(name) ? name : single, reader.mistakes)
                continue
            }
            guard reader.hasOwn(key) else { continue }
            let advice = name.nearest(in: known).map { "did you mean \($0.quotedForMessage)?" }
            reader.mistakes.warn(
                "no advertisement has a quantity \(name.quotedForMessage): "
                    + (advice ?? "bluefleet scan shows the quantities of the device"), at: entry.keyPosition)
        }
    }

    /// Reports a unit to which no value of the quantity can be converted.
    private func checkUnit(of entry: YAMLNode.Entry, _ name: String, _ mistakes: Mistakes) {
        guard let unit = settings.quantityRules[entry.key]?.unit else { return }
        let own = settings.advertisements.flatMap(\.quantities).filter { $0.name == name }
        let quantities = own.isEmpty ? Advertisements.quantities(named: name) : own
        let units = Set(quantities.map(\.unit))
        if units.contains(where: { $0 == unit || $0.flatMap { ValueConversion(from: $0, to: unit) } != nil }) { return }
        let found = units.map { $0 ?? "no unit" }.sorted().joined(separator: " or ")
        mistakes.report(
            "\(name) has \(found), which cannot be converted to \(unit)",
            at: entry.value["unit"]?.position ?? entry.keyPosition)
    }

    /// Warns about a device that is connected more often than a session takes.
    private func warnAboutShortInterval(_ reader: MappingReader) {
        typealias Keys = Configuration.DeviceSettings.Keys
        guard case .every(let interval) = settings.connect, interval < .seconds(1) else { return }
        reader.warn(
            "\(interval.text) is shorter than a session takes: ms are milliseconds, s seconds, m minutes",
            at: Keys.connect)
    }

    /// Warns about characteristics that are neither read nor subscribed nor written, and that no formula names.
    private func warnAboutUnusedCharacteristics(_ mistakes: Mistakes) {
        guard settings.connect != .never, mistakes.isEmpty else { return }
        let names = characteristics.flatMap { $0.value?.exchange?.names ?? [] }
        for entry in characteristics {
            guard let characteristic = entry.value, !characteristic.subscribe, characteristic.read == nil,
                characteristic.write == nil, !names.contains(where: { $0.hasPrefix("\(entry.name).") })
            else { continue }
            mistakes.warn(
                "nothing uses \(entry.name.quotedForMessage) except requests: add subscribe: true, read: on connect or "
                    + "write: true", at: entry.position)
        }
    }

    /// Warns about the device's own keys that have no effect.
    ///
    /// Two kinds of keys have no effect: connection settings of a device that is never connected, and rules for
    /// advertisements that are not read. Keys of a profile cause no warning.
    private func warnAboutUnusedKeys(_ reader: MappingReader) {
        typealias Keys = Configuration.DeviceSettings.Keys
        func warn<Value>(_ key: Key<Value>, _ reason: String) {
            if reader.hasOwn(key) { reader.warn("\(key.row.name) has no effect here: \(reason)", at: key) }
        }
        if settings.connect == .never {
            let reason = "the device is never connected"
            warn(Keys.within, reason)
            warn(Keys.hold, reason)
            warn(Keys.quiet, reason)
            warn(Keys.pair, reason)
        }
        switch settings.connect {
        case .always: warn(Keys.hold, "the device stays connected; it applies to connect: on demand")
        case .never: break
        case .onDemand where settings.isObserved: break
        case .every, .onDemand: warn(Keys.expect, "it applies to connect: always and connect: never")
        }
        if !settings.listensToAdvertisements {
            warn(
                Keys.publish,
                "it applies to advertisements, which are not read for this device; set publish for a characteristic")
            warn(
                Keys.quantities,
                "it applies to advertisements, which are not read for this device; set title for a characteristic")
        }
    }

    /// Reports characteristics that are configured more than once, under different names.
    private func checkDuplicates(_ mistakes: Mistakes) {
        struct Place: Hashable {
            let service: UUID?
            let uuid: UUID
            let instance: Int
        }
        var names: [Place: String] = [:]
        for entry in characteristics {
            // Entries with a question or with frames may share a characteristic.
            guard let characteristic = entry.value, characteristic.exchange == nil else { continue }
            let place = Place(
                service: characteristic.service, uuid: characteristic.uuid, instance: characteristic.instance)
            guard let other = names.updateValue(entry.name, forKey: place) else { continue }
            mistakes.report(
                "\(entry.name.quotedForMessage) and \(other.quotedForMessage) are the same characteristic, \(place.uuid): "
                    + "remove one, or set instance", at: entry.position)
        }
    }

    /// Reports names of characteristics or fields that have the same identifier in Home Assistant.
    private func checkIdentifiers(_ mistakes: Mistakes) {
        Self.checkIdentifiers(
            characteristics.map { ($0.name, $0.position) } + derived.map { ($0.name, $0.position) }, mistakes)
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
                "\(name.quotedForMessage) and \(other.quotedForMessage) have the same Home Assistant identifier, "
                    + "\(identifier.quotedForMessage): rename one", at: position)
        }
    }
}
