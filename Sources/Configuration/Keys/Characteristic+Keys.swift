import Bluetooth
import Codec
import System

extension Configuration.Characteristic {
    enum Keys {
        static let service = Key(
            "service", .service, example: "181A", "The service of the characteristic; any service if left out.")
        static let uuid = Key(
            "uuid", .characteristic, example: "2A6E",
            "The UUID; not needed if the name is that of a Bluetooth SIG characteristic.")
        static let instance = Key(
            "instance", .integer(1...99), default: "1", example: "2",
            "The number of the characteristic among those with the same UUIDs, in the order of the device.")
        static let subscribe = Key(
            "subscribe", .boolean, default: "false", example: "true",
            "Whether to subscribe to its notifications or indications.")
        static let ask = Key(
            "ask", Configuration.Question.defaults, example: "{to: FFF2, hex: \"A01F\"}",
            "The question to the device, over the defaults of the device's key ask; only the bytes, such as A01F, if the defaults "
                + "name the characteristic.")
        static let answer = Key(
            "answer", Configuration.Exchange.answer, example: "{from: FFF1, starts_with: \"01\"}",
            "How the answer arrives and is found in the received bytes, over the defaults of the device's key answer; or the "
                + "name of the entry whose answer it is. Without ask: frames that the device sends unasked.")
        static let history = Key(
            "history", Configuration.History.kind, example: "{as: plant, time: recorded}",
            "Makes the answer records of the past, which are published on the late topics with their own times.")
        static let topic = Key(
            "as", .topic, example: "battery",
            "The name in topics and in Home Assistant, in place of that of the entry. Entries with one name need conditions in "
                + "ask.when of which only one is true, e.g. for different versions of a device.")
        static let endian = Key(
            "endian", Kind<Field.Endian>.endian, default: "little", example: "big",
            "The byte order of the numbers in its formats, unless a field has its own.")
        static let read = Key(
            "read", Kind<ReadPolicy?>.read, example: "1h",
            "When to read it: on connect, or a duration (on connect and then at this interval). An entry with ask is asked on "
                + "connect unless read is given; never: only on request.")
        static let write = Key(
            "write", Kind<WritePolicy?>.write, default: "false", example: "true",
            "Whether commands may write it: true, without response, or reliable (the device sends the value back for "
                + "verification before it takes effect).")
        static let split = Key(
            "split", .boolean, default: "false", example: "true",
            "Whether a value that is longer than one packet (the MTU less 3 bytes) is written in pieces, in order, each with a "
                + "write of its own: for a device that joins them itself and refuses long values. Up to 4096 bytes.")
        static let state = Key(
            "state", .text, example: "contact",
            "With write, the characteristic whose values are the state, for a device that reports it elsewhere, e.g. a relay with "
                + "a button of its own: NAME, or NAME.FIELD for one of several fields. Home Assistant shows it as the state of "
                + "the switch, number, select or text.")
        static let format = Key(
            "format", Format.located, example: "[{name: level, type: uint16, scale: 0.1, unit: \"%\"}]",
            "The fields in wire order; not needed for a characteristic that the Bluetooth SIG defines.")
        static let valid = Key(
            "valid", .expression, example: "value < 5",
            "A condition over the fields that are not hidden, or over value for a single value. Values for which it is false are not "
                + "published, and reported like bytes that do not fit the format.")
        static let publish = Key(
            "publish", Configuration.PublishRules.kind, default: "{}", example: "{deadband: 0.5, at_least_every: 5m}",
            "The rules for publishing its values.")
        static let keep = Key(
            "keep", Kind<Configuration.Keep>.word, example: "all",
            "The values to keep while the broker is away: newest, all or none; the device's rule if left out.")
        static let retain = Key(
            "retain", .boolean, default: "true", example: "false", "Whether the broker retains the last value.")
        static let qos = Key(
            "qos", .integer(0...2), example: "0", "The quality of service (QoS), 0 to 2; mqtt.qos if left out.")
        static let unit = Key("unit", .unit, example: "°C", "The unit, which replaces that of the format.")
        static let deviceClass = Key(
            "device_class", .deviceClass, example: "temperature",
            "The device class for Home Assistant, which replaces the default.")

        static let section = Section(
            "characteristic", service, uuid, instance, ask, answer, history, topic, endian, subscribe, read, write,
            split, state,
            format, valid, publish, keep, retain, qos, unit,
            deviceClass, Configuration.EntityLabel.Keys.title, Configuration.EntityLabel.Keys.icon,
            Configuration.EntityLabel.Keys.enabled,
            example: "{subscribe: true}",
            advice: [
                "notification": "write subscribe: true", "notifications": "write subscribe: true",
                "char": "did you mean 'uuid'?", "char_uuid": "did you mean 'uuid'?",
                "characteristic_uuid": "did you mean 'uuid'?", "service_uuid": "did you mean 'service'?",
                "state_topic": "its topic is the name of the device and its own: rename it",
                "readable": "write read: on connect",
                "read_only": "nothing is written without write: true: remove the key",
                "read_write": "write read: on connect, write: true", "decimals": "write precision in a field of format",
                "order": "did you mean 'endian'?", "byte_order": "did you mean 'endian'?",
                "write_type": "write write: true, or write: without response",
                "mode": "write subscribe: true, read: 10m or write: true",
                "unit_of_measurement": "did you mean 'unit'?",
                "value_template": "write adjust: {NAME: FORMULA} in the device",
                "template": "write adjust: {NAME: FORMULA} in the device",
                "description": "did you mean 'title'?", "friendly_name": "did you mean 'title'?",
                "label": "did you mean 'title'?", "pair": "it belongs into the device",
                "mtu": "bluetoothd and the device choose it: remove the key",
                "options": "write values in a field of format", "data_type": "write format: [{name: …, type: …}]",
                "handle": "write the uuid: bluefleet inspect shows it",
                "notify": "write subscribe: true", "indicate": "write subscribe: true", "interval": "write read: 10m",
                "every": "write read: 10m", "scan_interval": "write read: 10m", "update_interval": "write read: 10m",
                "offset": "write adjust: {NAME: value - 0.5} in the device, or offset in a field of format",
                "poll": "write read: 10m", "period": "write read: 10m", "type": "write format: [{name: …, type: …}]",
                "scale": "it belongs into a field of format", "writable": "write write: true",
                "name": "the key is the name",
                "characteristic": "did you mean 'uuid'?", "deadband": "it belongs into publish",
                "on_change": "it belongs into publish", "payload": "it belongs into publish",
            ])
    }

    /// The characteristics by name; nil for a characteristic with a mistake.
    static let named = named(ExchangeNames(nil))

    /// The characteristics by name, whose questions and answers can use these names.
    static func named(_ names: ExchangeNames) -> Kind<[Named<Configuration.Characteristic?>]> {
        .mappings(Keys.section) { name, reader in
            if let problem = TopicName.problem(inCharacteristicName: name.value) {
                reader.mistakes.report(problem, at: name.position)
            }
            return Configuration.Characteristic(name, reader, names)
        }
    }

    private init?(_ name: Located<String>, _ reader: MappingReader, _ names: ExchangeNames) {
        let isExchange = reader.has(Keys.ask) || reader.has(Keys.answer)
        let exchange = isExchange ? Configuration.Exchange(of: name, reader, names) : nil
        if reader.has(Keys.history), exchange?.question == nil, !isExchange || exchange != nil {
            reader.report("the records of a history are asked for: add ask, or remove history", at: Keys.history)
        }
        if reader.has(Keys.topic), !isExchange {
            reader.report("as is for entries with ask or answer: rename this one instead", at: Keys.topic)
        }
        if isExchange {
            for key in [Keys.uuid, Keys.service] where reader.has(key) {
                reader.report(
                    "\(key.row.name) has no place here: ask.to and answer.from name the characteristics; remove it",
                    at: key)
            }
            if reader.has(Keys.instance) {
                reader.report("instance has no place beside ask and answer: remove it", at: Keys.instance)
            }
        }
        let uuid = exchange?.place?.characteristic ?? reader[Keys.uuid]
        if !reader.has(Keys.uuid), !isExchange, AssignedNumbers.characteristics[name.value] == nil {
            let advice = AssignedNumbers.characteristics.advice(for: name.value) ?? "add a uuid"
            reader.mistakes.report(
                "\(name.value.quotedForMessage) is not a Bluetooth SIG characteristic: \(advice)", at: name.position)
        }
        let instance = reader[Keys.instance]
        let service = exchange?.place?.service ?? reader[Keys.service]
        let (subscribe, write) = (reader[Keys.subscribe], reader[Keys.write])
        let isAsked = exchange?.question != nil && write == nil
        let read = reader.has(Keys.read) ? reader[Keys.read] ?? nil : isAsked ? .onConnect : nil
        if case .every(let interval)? = read, interval < Self.shortestReadInterval {
            reader.warn(
                "the interval is shorter than a connection allows: it is read every \(Self.shortestReadInterval.text)",
                at: Keys.read)
        }
        let (entry, publish) = (Self.format(reader, isExchange: isExchange, names), reader[Keys.publish])
        let format = entry?.format
        if let format { Self.checkSize(format, exchange, names, reader) }
        let split = reader[Keys.split]
        if split, write == .reliable {
            reader.report(
                "split excludes write: reliable, which verifies a value as a whole: write true or without response",
                at: Keys.split)
        } else if split, write == nil {
            reader.warn("split has no effect without write: true", at: Keys.split)
        }
        if write != nil, !isExchange, format?.hasPositions == true {
            reader.report(
                "a format with at is only read: write the fields in wire order without at, or remove write",
                at: Keys.format)
        }
        if write == nil { entry?.warnAboutLimits(reader.mistakes, ": add write: true") }
        if write == nil, reader.has(Keys.state) {
            reader.warn("state has no effect here: it belongs to a characteristic with write: true", at: Keys.state)
        }
        let keep = reader[Keys.keep] ?? publish.keep
        if keep == .all, publish.payload == .value {
            reader.warn(
                "a bare value has no place for its time: late values are JSON with value and time", at: Keys.publish)
        }
        let (retain, qos, unit) = (reader[Keys.retain], reader[Keys.qos], reader[Keys.unit])
        let (deviceClass, label) = (reader[Keys.deviceClass], Configuration.EntityLabel(reader))
        guard !isExchange || exchange != nil, let uuid = uuid ?? AssignedNumbers.characteristics[name.value] else {
            return nil
        }
        if !isExchange { Self.warnAboutOtherKind(of: uuid, reader) }
        let meaning = format ?? Characteristics.definition(of: uuid)?.format
        let valid = reader[Keys.valid]?.replacing(names.parameters.compactMapValues { $0 })
        if let valid { Self.check(valid, in: meaning, reader) }
        if unit != nil || deviceClass != nil, let meaning {
            Self.checkUnit(unit, of: deviceClass, meaning, reader)
            Self.warnAboutUnusedKeys(meaning, reader)
        }
        self.init(
            name: name.value, sharedName: reader[Keys.topic], service: service, uuid: uuid, instance: instance,
            isInstanceGiven: reader.has(Keys.instance),
            subscribe: subscribe, read: read, write: write, split: split, state: reader[Keys.state], format: format,
            valid: valid, boxedExchange: exchange.map { Boxed($0) },
            publish: publish, keep: keep, retain: retain, qos: qos, unit: unit,
            deviceClass: deviceClass, label: label, fieldLabels: entry?.labels ?? [:])
    }

    /// Returns the format of the values.
    ///
    /// The format of an answer can use the members of its question and the values of other entries.
    private static func format(
        _ reader: MappingReader, isExchange: Bool, _ names: ExchangeNames
    ) -> Configuration.FormatEntry? {
        guard let node = reader.node(of: Keys.format), !node.isNull else { return nil }
        var context = FormatContext()
        context.endian = reader[Keys.endian]
        context.allowsOuterNames = isExchange
        // The values of a question's formulas are known only when it is asked.
        if !isExchange { context.parameters = names.parameters }
        guard let entry = Format.located(in: context).read(node, reader.mistakes) else { return nil }
        reader.mistakes.check(entry.outerNames, among: names.forAnswers(to: reader.node(of: Keys.ask)))
        return entry
    }

    /// Reports fields that no value and no answer has room for, and answers that are longer than all fields.
    private static func checkSize(
        _ format: Format, _ exchange: Configuration.Exchange?, _ names: ExchangeNames, _ reader: MappingReader
    ) {
        let known = exchange?.question?.constants(in: names.environment) ?? names.environment
        let size = exchange?.answer?.contentSize(known, isHistory: exchange?.history != nil)
        let most = size ?? (exchange == nil ? longestValue : Configuration.Answer.longestSeries)
        let fields = "\(format.hasPositions ? "the fields reach to" : "the fields have") \(format.minimumSize.inBytes)"
        if format.minimumSize > most {
            let whole = size == nil ? "a value has at most \(most)" : "the answer has \(most) without checksum and end"
            reader.report("\(fields), but \(whole)", at: Keys.format)
        } else if let size, !format.hasPositions, let exact = format.fixedSize, exact < size {
            reader.report(
                "\(fields), but the answer has \(size) without checksum and end: add rest for bytes without a meaning",
                at: Keys.format)
        }
    }

    /// Reports names in a condition that no value of the characteristic has.
    private static func check(_ valid: Expression, in format: Format?, _ reader: MappingReader) {
        var names = format?.quantities.map(\.name) ?? []
        if format?.hasOneValue ?? true { names.append("value") }
        reader.check(valid, at: Keys.valid, among: names)
    }

    /// Checks that the device class allows the unit of a number.
    private static func checkUnit(
        _ unit: String?, of deviceClass: String?, _ format: Format, _ reader: MappingReader
    ) {
        warnAboutConversion(to: unit, format, reader)
        // If there are several quantities, the configured class is not used.
        guard format.hasOneValue, let quantity = format.quantities.first, quantity.shownForm == .number else { return }
        guard let deviceClass else {
            if let unit, let usual = quantity.homeAssistant?.deviceClass,
                let problem = DeviceClassUnits.problem(with: unit, of: usual)
            {
                reader.warn("\(problem); the entity is announced without a device class", at: Keys.unit)
            }
            return
        }
        let converted = quantity.homeAssistant.flatMap { $0.deviceClass == deviceClass ? $0.conversion?.unit : nil }
        let problem = DeviceClassUnits.problem(with: unit ?? converted ?? quantity.unit, of: deviceClass)
        if let problem { reader.report(problem, at: Keys.deviceClass) }
    }

    /// Warns about a unit that would need a conversion, such as °F for °C: the key only replaces the name of the unit.
    private static func warnAboutConversion(to unit: String?, _ format: Format, _ reader: MappingReader) {
        guard let unit, !reader.has(Keys.format), format.hasOneValue,
            let own = format.quantities.first?.unit, own != unit, ValueConversion(from: own, to: unit) != nil
        else { return }
        reader.warn(
            "unit converts nothing: the values are in \(own); Home Assistant shows them in the unit of the user, and "
                + "derive calculates other values", at: Keys.unit)
    }

    /// Warns about the UUID of a service in the place of that of a characteristic, and the reverse.
    private static func warnAboutOtherKind(of uuid: UUID, _ reader: MappingReader) {
        if AssignedNumbers.characteristics[uuid] == nil, let name = AssignedNumbers.services[uuid] {
            reader.warn(
                "\(uuid) is the service \(name), not a characteristic: bluefleet inspect shows both", at: Keys.uuid)
        }
        if let service = reader[Keys.service], AssignedNumbers.services[service] == nil,
            let name = AssignedNumbers.characteristics[service]
        {
            reader.warn("\(service) is the characteristic \(name), not a service: remove the key", at: Keys.service)
        }
    }

    /// Warns about keys for a single value if there are several values, and about a device class of a value that is
    /// neither a number nor a boolean.
    private static func warnAboutUnusedKeys(_ format: Format, _ reader: MappingReader) {
        let quantities = format.quantities
        if quantities.count > 1, !format.hasOneValue {
            for key in [Keys.unit, Keys.deviceClass] where reader.has(key) {
                reader.warn(
                    "\(key.row.name) has no effect here: it requires a single value, and this characteristic has several "
                        + "fields", at: key)
            }
        } else if format.hasOneValue, let form = quantities.first?.shownForm {
            if let problem = Configuration.FieldLabel.problem(with: reader[Keys.deviceClass], of: form) {
                reader.warn(problem, at: Keys.deviceClass)
            }
            if form == .text, reader.has(Keys.unit) {
                reader.warn(
                    "a text has no unit in Home Assistant: for a number as text, write format: [{name: value, type: "
                        + "decimal}]", at: Keys.unit)
            }
        }
    }
}
