import Bluetooth
import Codec

extension Configuration.Advertiser {
    /// The formats of advertisements that the gateway can send.
    private enum SentFormat: String, CaseIterable, Sendable {
        case bthome
    }

    private enum Keys {
        static let format = Key(
            "format", Kind<SentFormat>.word, default: "bthome",
            "The format of the advertisement: BTHome, version 2, without encryption.")
        static let localName = Key(
            "name", Kind<String>.advertisedName, example: "Kitchen",
            "The name that the advertisement contains; none if left out.")
        static let adapter = Key(
            "adapter", .adapter, example: "\"B8:27:EB:12:34:56\"",
            "The adapter that sends, by address; the first adapter that is on if left out.")
        static let interval = Key(
            "interval", Kind<Duration>.advertisingInterval, default: "1s", example: "2s",
            "The advertising interval, from 100ms to 10s.")
        static let maximumAge = Key(
            "max_age", .positiveDuration, example: "30m",
            "The age from which on a value of a topic is no longer sent; any age if left out.")
        static let objects = Key(
            required: "objects", Kind<[Named<Source>]>.named(source, form: "NAME: {topic: TOPIC}"),
            example: "{temperature: {topic: bluefleet/cellar/climate, member: temperature}, battery: 80}",
            "The values by the names of BTHome. A value is a fixed number or boolean, or comes from the newest message on a "
                + "topic. Names: " + BTHomePacket.names.joined(separator: ", ") + ".")
        static let section = Section(
            "advertiser", format, localName, adapter, interval, maximumAge, objects,
            example: "{objects: {temperature: {topic: bluefleet/greenhouse/temperature}}}",
            advice: ["values": "did you mean 'objects'?", "local_name": "did you mean 'name'?"])
    }

    private enum SourceKeys {
        static let topic = Key(
            required: "topic", Kind<String>.foreignTopic, example: "zigbee2mqtt/bath",
            "The topic of the broker, of this gateway or of another program.")
        static let member = Key(
            "member", .text, example: "climate.temperature",
            "The member of the JSON, with dots between levels. If left out: the member with the name of the value, else value; "
                + "or the whole payload, if it is no object.")
        static let section = Section("value", topic, member, example: "{topic: zigbee2mqtt/bath}")
    }

    private static let source = Kind<Source>.either("value | {topic: TOPIC}", section: SourceKeys.section) { node in
        guard case .mapping = node.content else { return fixed }
        return .mapping(SourceKeys.section) { reader in
            let member = reader[SourceKeys.member]
            return reader[SourceKeys.topic].map { .topic($0, member: member) }
        }
    }

    private static let fixed = Kind<Source>.scalar("number | boolean") { text, isPlain throws(InvalidValue) in
        if isPlain, let number = Decimal(text) { return .fixed(.number(number)) }
        guard isPlain, text == "true" || text == "false" else {
            throw "expected a number, true, false or {topic: TOPIC}, found \(text.quotedForMessage)"
        }
        return .fixed(.boolean(text == "true"))
    }

    /// The section `advertisers`.
    static let named = Kind<[Named<Configuration.Advertiser>]>.mappings(Keys.section) { name, reader in
        let (localName, adapter, interval) = (reader[Keys.localName], reader[Keys.adapter], reader[Keys.interval])
        let maximumAge = reader[Keys.maximumAge]
        _ = reader[Keys.format]
        if let problem = TopicName.problem(in: name.value) { reader.mistakes.report(problem, at: name.position) }
        guard let objects = reader[Keys.objects] else { return nil }
        check(objects, reader)
        return Configuration.Advertiser(
            name: name.value, localName: localName, adapter: adapter, interval: interval, maximumAge: maximumAge,
            objects: objects.map { Object($0.name, $0.value) })
    }

    private static func check(_ objects: [Named<Source>], _ reader: MappingReader) {
        if reader.node(of: Keys.objects)?.content == .mapping([]) {
            reader.report("there is no value: add one to objects", at: Keys.objects)
        }
        for object in objects {
            guard BTHomePacket.names.contains(object.name) else {
                reader.mistakes.reportUnknown(
                    "BTHome object", object.name, among: BTHomePacket.names, at: object.position)
                continue
            }
            guard case .fixed(let value) = object.value else { continue }
            do throws(EncodingError) {
                _ = try BTHomePacket.encode([(object.name, value)], number: 0)
            } catch {
                reader.mistakes.report("\(error)", at: object.position)
            }
        }
        let size = objects.reduce(0) { $0 + BTHomePacket.size(of: $1.name) }
        if size > BTHomePacket.capacity {
            reader.report(
                "the values need \(size) bytes, and an advertisement has \(BTHomePacket.capacity): move some to another advertiser",
                at: Keys.objects)
        }
    }

    /// Reports too many advertisers.
    static func check(_ advertisers: [Named<Configuration.Advertiser>], _ mistakes: Mistakes) {
        guard advertisers.count > maximumCount else { return }
        mistakes.report(
            "\(advertisers.count) advertisers: a gateway sends up to \(maximumCount)",
            at: advertisers[maximumCount].position)
    }
}

extension Kind where Value == String {
    /// A name in an advertisement, whose scan response has 31 bytes.
    fileprivate static var advertisedName: Kind {
        text.map { text throws(InvalidValue) in
            guard 1...29 ~= text.utf8.count else {
                throw "expected a name of 1 to 29 bytes, found \(text.utf8.count) bytes"
            }
            return text
        }
    }

    /// A topic of any program.
    fileprivate static var foreignTopic: Kind {
        text.map("topic") { text throws(InvalidValue) in
            if text.isEmpty { throw "a topic must not be empty" }
            if text.utf8.count > 1024 { throw "a topic must not be longer than 1,024 bytes" }
            if text.contains("+") || text.contains("#") {
                throw "\(text.quotedForMessage) has a wildcard: name one topic"
            }
            if text.unicodeScalars.contains(where: TopicName.isInvalidInMQTT) {
                throw "the topic contains a character that MQTT does not allow"
            }
            return text
        }
    }
}

extension Kind where Value == Duration {
    fileprivate static var advertisingInterval: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in
            let duration = try Duration(text: text)
            guard .milliseconds(100)...(.seconds(10)) ~= duration else {
                throw "expected a duration from 100ms to 10s, found \(text.quotedForMessage)"
            }
            return duration
        }
    }
}
