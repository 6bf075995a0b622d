import Codec
import Configuration
import JSON
import System

/// The values of one advertiser: fixed ones, and the newest ones of topics.
struct SentValues {
    private let advertiser: Configuration.Advertiser
    /// The values of topics, by the names of their objects, with the times of their messages.
    private var newest: [String: (value: Value, time: Instant)] = [:]
    /// The number of the last packet.
    private var number: UInt8 = 0
    /// The service data of the last packet; nil: there is none.
    private(set) var data: [UInt8]?
    private var values: [String: Value] = [:]

    init(_ advertiser: Configuration.Advertiser) {
        self.advertiser = advertiser
    }

    /// Receives a message on a topic.
    ///
    /// - Returns: The problems with values that the message should contain; such a value is no longer sent.
    mutating func receive(_ payload: [UInt8], on topic: String, at now: Instant) -> [String] {
        var problems: [String] = []
        let json = try? JSON(parsing: payload)
        for object in advertiser.objects {
            guard case .topic(topic, let member) = object.source else { continue }
            newest[object.name] = nil
            // An empty payload removes a retained value.
            guard !payload.isEmpty else { continue }
            let text = String(decoding: payload, as: UTF8.self)
            guard let found = Self.found(in: json, text, member: member, name: object.name) else {
                let place = member ?? (json?.object == nil ? "the payload" : "the member \(object.name) or value")
                problems.append("\(object.name): \(place) of \(topic) is missing")
                continue
            }
            guard let value = Self.value(found, isCondition: BTHomePacket.isCondition(object.name)) else {
                // A device that is not available has no value.
                if found.isNull { continue }
                problems.append("\(object.name): \(found.description.prefix(40)) on \(topic) is not a value of it")
                continue
            }
            do throws(EncodingError) {
                _ = try BTHomePacket.encode([(object.name, value)], number: 0)
                newest[object.name] = (value, now)
            } catch {
                problems.append("\(error)")
            }
        }
        return problems
    }

    private static func found(in json: JSON?, _ text: String, member: String?, name: String) -> JSON? {
        // A payload such as ON is no JSON.
        guard let json else { return member == nil ? .string(text) : nil }
        if let member {
            return member.split(separator: ".").reduce(json) { json, name in json?[String(name)] }
        }
        guard json.object != nil else { return json }
        return json[name] ?? json["value"]
    }

    private static let words = [
        "true": true, "on": true, "open": true, "1": true, "false": false, "off": false,
        "closed": false, "0": false,
    ]

    private static func value(_ json: JSON, isCondition: Bool) -> Value? {
        if isCondition {
            if case .bool(let isTrue) = json { return .boolean(isTrue) }
            let text = json.string ?? json.description
            return words[text.lowercased()].map { .boolean($0) }
        }
        guard case .bool = json else { return Decimal(json.string ?? json.description).map { .number($0) } }
        return nil
    }

    /// Encodes the values that are not too old.
    ///
    /// - Returns: Whether the packet differs from the last one.
    /// - Throws: `InvalidValue` if the values do not fit: nothing is sent then.
    mutating func encode(at now: Instant) throws(InvalidValue) -> Bool {
        var list: [(name: String, value: Value)] = []
        for object in advertiser.objects {
            switch object.source {
            case .fixed(let value): list.append((object.name, value))
            case .topic:
                guard let (value, time) = newest[object.name], advertiser.maximumAge.map({ now - time < $0 }) ?? true
                else { continue }
                list.append((object.name, value))
            }
        }
        let values = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
        guard values != self.values else { return false }
        self.values = values
        data = nil
        guard !list.isEmpty else { return true }
        number &+= 1
        let packet: [UInt8]
        do throws(EncodingError) {
            packet = try BTHomePacket.encode(list, number: number)
        } catch {
            throw "\(error)"
        }
        let size = packet.count - BTHomePacket.headerSize
        guard size <= BTHomePacket.capacity else {
            throw "the values need \(size) bytes, and an advertisement has \(BTHomePacket.capacity): remove one"
        }
        data = packet
        return true
    }

    /// When the next value becomes too old; nil: none does.
    func nextExpiry(after now: Instant) -> Instant? {
        guard let age = advertiser.maximumAge else { return nil }
        return newest.values.map { $0.time + age }.filter { $0 > now }.min()
    }
}
