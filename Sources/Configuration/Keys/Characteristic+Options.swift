extension Configuration {
    /// Settings that replace those of a characteristic while the gateway runs; nil: no change.
    struct CharacteristicOptions {
        private let subscribe: Bool?
        /// `.some(nil)`: never.
        private let read: Characteristic.ReadPolicy??
        private let publish: PublishRules?
        private let keep: Keep?
        private let retain: Bool?
        private let qos: Int?
        private let label: EntityLabel

        private typealias Keys = Characteristic.Keys

        static let section = Section(
            "characteristic", Keys.subscribe, Keys.read, Keys.publish, Keys.keep, Keys.retain, Keys.qos,
            EntityLabel.Keys.title, EntityLabel.Keys.icon, EntityLabel.Keys.enabled,
            example: "{title: Air}",
            advice: [
                "write": "only the configuration file allows writing", "format": "it belongs to the configuration file",
            ])

        /// The options by the names of the characteristics.
        static let named = Kind<[Named<Self>]>.mappings(section) { _, reader in Self(reader) }

        private init(_ reader: MappingReader) {
            func value<Value>(_ key: Key<Value>) -> Value? { reader.has(key) ? reader[key] : nil }
            subscribe = value(Keys.subscribe)
            read = reader.has(Keys.read) ? .some(reader[Keys.read] ?? nil) : nil
            publish = value(Keys.publish)
            keep = value(Keys.keep) ?? nil
            retain = value(Keys.retain)
            qos = value(Keys.qos) ?? nil
            label = EntityLabel(reader)
        }

        /// Returns a characteristic with the options.
        func applied(to base: Characteristic) -> Characteristic {
            Characteristic(
                name: base.name, sharedName: base.sharedName, service: base.service, uuid: base.uuid,
                instance: base.instance, isInstanceGiven: base.isInstanceGiven, subscribe: subscribe ?? base.subscribe,
                read: read ?? base.read, write: base.write, split: base.split, state: base.state, format: base.format,
                valid: base.valid, boxedExchange: base.boxedExchange,
                publish: publish ?? base.publish, keep: keep ?? publish?.keep ?? base.keep,
                retain: retain ?? base.retain,
                qos: qos ?? base.qos, unit: base.unit, deviceClass: base.deviceClass,
                label: label.merged(over: base.label), fieldLabels: base.fieldLabels)
        }
    }
}
