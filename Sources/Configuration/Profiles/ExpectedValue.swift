package import Codec

/// A value that a test of a profile expects in an answer.
package indirect enum ExpectedValue: Sendable, Equatable {
    case number(Decimal)
    case boolean(Bool)
    case text(String)
    case list([ExpectedValue])
    /// The value is not known.
    case null

    /// The value that a client would send.
    package var value: Value {
        switch self {
        case .number(let number): .number(number)
        case .boolean(let flag): .boolean(flag)
        case .text(let text): .string(text)
        case .list(let values): .list(values.map(\.value))
        case .null: .null
        }
    }

    static let kind = Kind<ExpectedValue>("value") { node, mistakes in
        guard let value = ExpectedValue(node) else {
            mistakes.report("expected a value or a list of values, found a mapping", at: node.position)
            return nil
        }
        return value
    }

    private init?(_ node: YAMLNode) {
        switch node.content {
        case .scalar where node.isNull: self = .null
        case .scalar("true", isPlain: true): self = .boolean(true)
        case .scalar("false", isPlain: true): self = .boolean(false)
        case .scalar(let text, let isPlain):
            self = (isPlain ? Decimal(text) : nil).map { .number($0) } ?? .text(text)
        case .sequence(let items):
            var values: [ExpectedValue] = []
            for item in items {
                guard let value = ExpectedValue(item) else { return nil }
                values.append(value)
            }
            self = .list(values)
        case .mapping: return nil
        }
    }
}
