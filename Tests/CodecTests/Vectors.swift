import Codec
import Foundation

/// Bytes and their expected values, from the tests of other projects and from the specifications.
struct Vectors: Decodable, Sendable {
    struct Vector: Decodable, CustomStringConvertible {
        let id: String
        let uuid: String?
        let name: String
        let hex: String
        let fields: [String: Expected]

        var description: String { "\(id) \(name) \(hex)" }
    }

    struct Negative: Decodable, CustomStringConvertible {
        let uuid: String
        let hex: String
        let why: String

        var description: String { "\(uuid) \(hex): \(why)" }
    }

    struct Primitive: Decodable, CustomStringConvertible {
        let type: String
        let hex: String
        let value: Expected

        var description: String { "\(type) \(hex)" }

        enum CodingKeys: String, CodingKey {
            case type, value
            case hex = "hex_le"
        }
    }

    struct Sentinel: Decodable, CustomStringConvertible {
        let uuid: String
        let hex: String
        let meaning: String

        var description: String { "\(uuid) \(hex): \(meaning)" }
    }

    enum Expected: Decodable, Sendable {
        case number(Codec.Decimal)
        case boolean(Bool)
        case text(String)
        case list([Expected])
        case object([String: Expected])
        case null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let boolean = try? container.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let number = try? container.decode(Double.self), let decimal = Codec.Decimal(number) {
                self = .number(decimal)
            } else if let list = try? container.decode([Expected].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Expected].self) {
                self = .object(object)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        /// Returns whether a value is the expected one; a named number counts as its number, and true as 1.
        func matches(_ value: Value) -> Bool {
            switch (self, value) {
            case (.number(let expected), .number(let number)): expected == number
            case (.number(let expected), .named(_, let number)): expected == Codec.Decimal(number)
            case (.number(let expected), .boolean(let isTrue)): expected == (isTrue ? 1 : 0)
            case (.boolean(let expected), .boolean(let isTrue)): expected == isTrue
            case (.text(let expected), .string(let text)): expected == text
            case (.text(let expected), .bytes(let bytes)): expected == bytes.hexadecimal
            case (.list(let expected), .list(let values)):
                expected.count == values.count && zip(expected, values).allSatisfy { $0.matches($1) }
            case (.null, .null): true
            default: false
            }
        }
    }

    let vectors: [Vector]
    let negative: [Negative]
    let primitives: [Primitive]
    let sentinels: [Sentinel]

    static let gatt: Vectors = {
        do {
            let file = Bundle.module.bundleURL.appending(path: "Vectors/gatt.json")
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("the vectors cannot be read: \(error)")
        }
    }()
}
