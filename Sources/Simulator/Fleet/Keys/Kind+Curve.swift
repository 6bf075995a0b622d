import Codec
import Configuration

extension Kind where Value == Curve {
    /// A constant value, a curve, or a mapping of fields to values and curves.
    static var curve: Kind {
        .either("value | {ramp | sine | walk | list: …} | {FIELD: value, …}") { node in
            guard case .mapping(let entries) = node.content else {
                return Kind<Codec.Value>.value.map { .constant($0) }
            }
            switch entries.count == 1 ? entries[0].key : "" {
            case "ramp": return .mapping(Section("ramp", ramp)) { reader in reader[ramp].map(Curve.ramp) }
            case "sine": return .mapping(Section("sine", sine)) { reader in reader[sine].map(Curve.sine) }
            case "walk": return .mapping(Section("walk", walk)) { reader in reader[walk] }
            case "list": return .mapping(Section("list", list)) { reader in reader[list].map(Curve.list) }
            default:
                return Kind<[Named<Curve>]>.named(.curve).map { members in
                    .record(members.map { Curve.Member(name: $0.name, curve: $0.value) })
                }
            }
        }
    }

    private static var ramp: Key<Curve.Swing?> {
        Key(
            "ramp", Curve.Swing.kind, example: "{from: 18, to: 24, over: 1m}",
            "Rises from one number to the other, and starts again.")
    }

    private static var sine: Key<Curve.Swing?> {
        Key("sine", Curve.Swing.kind, example: "{from: 18, to: 24, over: 1m}", "Oscillates between two numbers.")
    }

    private static var walk: Key<Curve?> {
        Key(
            "walk", Curve.walkKind, example: "{from: 40, to: 60, step: 1}",
            "Changes by a random step with each reading.")
    }

    private static var list: Key<[Codec.Value]?> {
        Key(
            "list", .list(of: Kind<Codec.Value>.value, whenEmpty: "the list is empty: give at least one value"),
            example: "[1, 2, 3]", "Gives each reading its next value.")
    }
}

extension Kind where Value == Codec.Value {
    /// A number, a boolean, a text, or a list of such values.
    static var value: Kind {
        .either("value") { node in
            if case .sequence = node.content { return Kind<[Codec.Value]>.list(of: .value).map { .list($0) } }
            return scalar("value") { text, isPlain throws(InvalidValue) in
                guard isPlain else { return .string(text) }
                if let boolean = Bool(text) { return .boolean(boolean) }
                return Decimal(text).map { .number($0) } ?? .string(text)
            }
        }
    }
}

extension Kind where Value == Double {
    /// A number of a curve, from -1e30 to 1e30.
    fileprivate static func coordinate(atLeast least: Decimal? = nil) -> Kind {
        Kind<Decimal>.number(atLeast: least).map("number") { number throws(InvalidValue) in
            let value = number.doubleValue
            guard abs(value) <= 1e30 else { throw "the numbers of a curve must be between -1e30 and 1e30" }
            return value
        }
    }
}

extension Curve {
    private enum Keys {
        static let from = Key(required: "from", .coordinate(), example: "18", "One end of the range.")
        static let to = Key(required: "to", .coordinate(), example: "24", "The other end of the range.")
        static let over = Key(required: "over", .positiveDuration, example: "1m", "The period.")
        static let step = Key(required: "step", .coordinate(atLeast: 0), example: "0.5", "The maximum step.")
    }

    fileprivate static let walkKind = Kind<Curve>.mapping(Section("walk", Keys.from, Keys.to, Keys.step)) { reader in
        guard let from = reader[Keys.from], let to = reader[Keys.to], let step = reader[Keys.step] else { return nil }
        guard from <= to else {
            reader.report("'from' must not be greater than 'to'", at: Keys.to)
            return nil
        }
        return .walk(from...to, step: step)
    }

    fileprivate static let swing = Kind<Swing>.mapping(Section("swing", Keys.from, Keys.to, Keys.over)) { reader in
        guard let from = reader[Keys.from], let to = reader[Keys.to], let over = reader[Keys.over] else { return nil }
        return Swing(from: from, to: to, period: over)
    }
}

extension Curve.Swing {
    fileprivate static var kind: Kind<Curve.Swing> { Curve.swing }
}
