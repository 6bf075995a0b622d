import Bluetooth
import Codec

extension Configuration.Characteristic {
    enum Keys {
        static let service = Key(
            "service", .service, example: "181A", "The service it belongs to; whichever has it if left out.")
        static let uuid = Key(
            "uuid", .characteristic, example: "2A6E",
            "Its UUID; may be left out where its name is the Bluetooth SIG's.")
        static let instance = Key(
            "instance", .integer(1...99), default: "1", example: "2",
            "Which of several with the same UUIDs, in the device's own order.")
        static let subscribe = Key(
            "subscribe", .boolean, default: "false", example: "true", "Whether its notifications are wanted.")
        static let read = Key(
            "read", Kind<ReadPolicy>.read, example: "1h",
            "When to read it: on connect, or on connect and then again after a duration.")
        static let write = Key(
            "write", Kind<WritePolicy?>.write, default: "false", example: "true",
            "Whether commands may write it: true, without response, or reliable (the device sends it back before it counts)."
        )
        static let format = Key(
            "format", Format.kind, example: "[{name: level, type: uint16, scale: 0.1, unit: \"%\"}]",
            "Its fields in wire order; not needed for what the Bluetooth SIG defines.")
        static let publish = Key(
            "publish", Configuration.PublishRules.kind, default: "{}", example: "{deadband: 0.5, at_least_every: 5m}",
            "Which values are published, and how.")
        static let retain = Key(
            "retain", .boolean, default: "true", example: "false", "Whether the broker keeps the last value.")
        static let qos = Key(
            "qos", .integer(0...2), example: "0", "The quality of service, 0 to 2; mqtt.qos if left out.")
        static let unit = Key("unit", .text, example: "°C", "The unit, in place of the format's.")
        static let deviceClass = Key(
            "device_class", .deviceClass, example: "temperature", "Home Assistant's class, in place of the usual one.")

        static let section = Section(
            "characteristic", service, uuid, instance, subscribe, read, write, format, publish, retain, qos, unit,
            deviceClass)
    }

    /// Names of topics and their characteristics; nil for those with a mistake.
    static let named = Kind<[Named<Configuration.Characteristic?>]>.mappings(Keys.section) { name, reader in
        if let complaint = TopicName.complaint(aboutCharacteristic: name.value) {
            reader.mistakes.report(complaint, at: name.position)
        }
        return Configuration.Characteristic(name, reader)
    }

    private init?(_ name: Located<String>, _ reader: MappingReader) {
        let uuid = reader[Keys.uuid]
        if !reader.has(Keys.uuid), AssignedNumbers.characteristics[name.value] == nil {
            let names = AssignedNumbers.characteristics.all
            let advice = name.value.nearest(in: names).map { "did you mean \($0.quotedForMessage)?" }
            reader.mistakes.report(
                "\(name.value.quotedForMessage) is no characteristic of the Bluetooth SIG: "
                    + (advice ?? "it needs a uuid"), at: name.position)
        }
        let instance = reader[Keys.instance]
        let (service, subscribe, read) = (reader[Keys.service], reader[Keys.subscribe], reader[Keys.read])
        let (write, format, publish) = (reader[Keys.write], reader[Keys.format], reader[Keys.publish])
        let (retain, qos, unit) = (reader[Keys.retain], reader[Keys.qos], reader[Keys.unit])
        let deviceClass = reader[Keys.deviceClass]
        guard let uuid = uuid ?? AssignedNumbers.characteristics[name.value] else { return nil }
        if unit != nil || deviceClass != nil,
            let meaning = format ?? Characteristics.definition(of: uuid)?.format
        {
            Self.checkUnit(unit, of: deviceClass, meaning, reader)
            Self.warnOfIdleKeys(meaning, reader)
        }
        self.init(
            name: name.value, service: service, uuid: uuid, instance: instance, subscribe: subscribe, read: read,
            write: write, format: format, publish: publish, retain: retain, qos: qos, unit: unit,
            deviceClass: deviceClass)
    }

    /// Whether a number has a unit that goes with its class.
    private static func checkUnit(
        _ unit: String?, of deviceClass: String?, _ format: Format, _ reader: MappingReader
    ) {
        // Of several quantities none has the class of the configuration.
        guard format.hasOneValue, let quantity = format.quantities.first, quantity.kind == .number else { return }
        guard let deviceClass else {
            if let unit, let usual = quantity.homeAssistant?.deviceClass,
                let complaint = DeviceClassUnits.complaint(about: unit, of: usual)
            {
                reader.warn("\(complaint), and is announced without a class", at: Keys.unit)
            }
            return
        }
        let converted = quantity.homeAssistant.flatMap { $0.deviceClass == deviceClass ? $0.conversion?.unit : nil }
        let complaint = DeviceClassUnits.complaint(about: unit ?? converted ?? quantity.unit, of: deviceClass)
        if let complaint { reader.report(complaint, at: Keys.deviceClass) }
    }

    /// Warns of keys about one value where there are several, and of a class of what is neither a number nor true or
    /// false.
    private static func warnOfIdleKeys(_ format: Format, _ reader: MappingReader) {
        let quantities = format.quantities
        if quantities.count > 1, !format.hasOneValue {
            for key in [Keys.unit, Keys.deviceClass] where reader.has(key) {
                reader.warn(
                    "\(key.row.name) has no effect here: it is about a characteristic that has one value, and this one "
                        + "has several fields", at: key)
            }
        } else if format.hasOneValue, let kind = quantities.first?.kind, ![.number, .boolean].contains(kind),
            reader.has(Keys.deviceClass)
        {
            reader.warn(
                "device_class has no effect here: only what is a number, or true or false, has a class to choose",
                at: Keys.deviceClass)
        }
    }
}
