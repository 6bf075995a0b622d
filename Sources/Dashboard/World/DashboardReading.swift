import Contract
package import JSON
package import System

/// The newest value of one field of a reading.
package struct DashboardReading: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case number(JSON.Number)
        /// A truth value, a name or a text.
        case state(String)
    }

    package let content: Content
    package let unit: String?
    /// The time of the value.
    package let time: Timestamp
    /// The moment from which on the value is no longer valid; nil: none is known.
    package let expiry: Instant?

    /// Whether the value is still valid.
    package func isValid(at now: Instant) -> Bool {
        expiry.map { $0 > now } ?? true
    }

    package var number: JSON.Number? {
        if case .number(let number) = content { number } else { nil }
    }

    var isTruthValue: Bool { [.state("true"), .state("false")].contains(content) }

    /// The value as in a payload.
    var value: JSON {
        switch content {
        case .number(let number): .number(number)
        case .state("true"): true
        case .state("false"): false
        case .state(let text): .string(text)
        }
    }
}

/// The fields in the payload of a reading.
struct ReadingFields {
    struct Field {
        /// The name of the topic; for a reading with several fields also the name of the field, after a dot.
        let name: String
        let content: DashboardReading.Content
        let unit: String?
    }

    private static let most = 32
    private static let longestState = 64

    let fields: [Field]
    /// nil if the payload has no time.
    let time: Timestamp?

    /// - Parameters:
    ///   - payload: The payload on the topic of a reading.
    ///   - name: The name of the characteristic or quantity.
    ///   - units: The units of the fields in the topic `info`, by name of the field.
    init(_ payload: ReceivedPayload, _ name: String, units: [String: String]) {
        guard let json = payload.json, let object = json.object else {
            let content = Self.content(of: payload.json ?? (try? JSON(parsing: payload.text)) ?? .null)
            fields = content.map { [Field(name: name, content: $0, unit: units[name])] } ?? []
            time = nil
            return
        }
        time = object["time"]?.string.flatMap { Timestamp($0) }
        if let value = object["value"] {
            let content = Self.content(of: value)
            let unit = object["unit"]?.string?.cut(to: Self.longestState)
            fields = content.map { [Field(name: name, content: $0, unit: unit)] } ?? []
            return
        }
        fields = ReadingPayload.fields(of: object).prefix(Self.most).compactMap { member in
            let full = "\(name).\(member.name.cut(to: Self.longestState))"
            return Self.content(of: member.value).map { Field(name: full, content: $0, unit: units[full]) }
        }
    }

    private static func content(of value: JSON) -> DashboardReading.Content? {
        switch value {
        // A number beyond the range of Double cannot be drawn.
        case .number(let number): number.double == nil || number.text.utf8.count > 40 ? nil : .number(number)
        case .bool(let bool): .state(bool ? "true" : "false")
        case .string(let text): .state(text.cut(to: longestState))
        case .null, .array, .object: nil
        }
    }
}

extension String {
    /// Returns the beginning of the text if it has more bytes than `limit`.
    func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
