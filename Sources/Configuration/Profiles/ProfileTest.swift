package import Bluetooth
package import Codec
package import System

/// The answer of a device to a question, and the values in it: an item of the key `tests`.
package struct ProfileTest: Sendable {
    /// Bytes that the device sends.
    package struct Piece: Sendable, Equatable {
        /// The characteristic; nil: that of the answer of the entry.
        package let source: UUID?
        package let bytes: [UInt8]
    }

    /// Another question and its answer.
    package struct Exchange: Sendable {
        package let question: BytePattern
        package let answer: [Piece]
    }

    /// The value that a client sends.
    package enum Command: Sendable {
        case value(ExpectedValue)
        case fields([Named<ExpectedValue>])
    }

    package enum Expectation: Sendable {
        /// The values of fields, by their names.
        case values([Named<ExpectedValue>])
        /// The device refuses the question, or the answer has no values.
        case failure
        /// Nothing is compared, e.g. for the answer to a login.
        case nothing
    }

    /// The name of the entry, or `first`.
    package let entry: String
    package let position: Position
    /// The value that a client sends for a command; nil: none.
    package let set: Command?
    /// The bytes of the question; nil: the device sends the bytes unasked, or they are read.
    package let question: BytePattern?
    /// The bytes of the answer, one piece for each notification.
    package let answer: [Piece]
    /// The answers to other questions, in place of those in the other tests of the profile.
    package let others: [Exchange]
    package let expectation: Expectation
    /// The parameters of the device.
    package let parameters: [Named<String>]
    package let pin: String?
    /// The time at which the question is asked; nil: any.
    package let time: Timestamp?
    /// Where the bytes are from.
    package let source: String
}

extension ProfileTest {
    private enum PieceKeys {
        static let from = Key(
            "from", .characteristic, example: "FFF1",
            "The characteristic that sends the bytes; that of the answer if left out."
        )
        static let hex = Key("hex", Kind<[UInt8]>.hexadecimal(0...4096), example: "A01F", "The bytes.")
        static let text = Key("text", Kind<String>.text, example: "\"OK\\r\"", "The bytes as text.")
        static let section = Section("bytes", from, hex, text, example: "{from: FFF1, hex: A01F}")
    }

    private enum Keys {
        static let entry = Key(
            required: "entry", .text, example: "cells",
            "The name of the characteristic; first for a question of the key first.")
        static let set = Key(
            "set", ProfileTest.command, example: "{target: 21.5}", "The value that a request sets, for a command.")
        static let ask = Key(
            "ask", Kind<[BytePattern]>.patterns, example: "\"DDA50400FFFC77\"",
            "The bytes of the question; ? stands for any digit.")
        static let answer = Key(
            "answer", Kind<[Piece]>.oneOrMore(ProfileTest.piece), default: "[]",
            example: "\"DD0400080D660D610D680D59FE3C77\"",
            "The bytes that the device sends: one notification, or a list of them.")
        static let expect = Key(
            "expect", ProfileTest.expectation, example: "{voltages: [3.43, 3.425]}",
            "The values of fields in the answer, or failed. If left out, the answer is only used by the other tests.")
        static let others = Key(
            "others", Kind<[Exchange]>.list(of: ProfileTest.exchange), default: "[]",
            example: "[{ask: DDA50300FFFD77, answer: DD03…}]",
            "The answers to other questions, if those in the other tests do not fit, e.g. for another version of the device."
        )
        static let with = Key(
            "with", Kind<[Named<String>]>.named(.text, form: "PARAMETER: VALUE, such as {station: 1}"), default: "{}",
            example: "{station: 1}", "The parameters of the device.")
        static let pin = Key("pin", .text, example: "\"000000\"", "The PIN of the device.")
        static let now = Key(
            "now", Kind<Timestamp>.timestamp, example: "\"2026-11-27T10:00:00.000Z\"",
            "The time of the question, in UTC.")
        static let source = Key(
            required: "source", .text, example: "published test data", "Where the bytes are from.")
        static let section = Section(
            "test", entry, set, ask, answer, others, expect, with, pin, now, source,
            example: "{entry: cells, ask: DDA50400FFFC77, answer: DD04…, expect: {…}, source: …}")
    }

    private static let piece = Kind<Piece>.either("bytes | {from: UUID, hex: BYTES}") { node in
        guard case .mapping = node.content else {
            return Kind<[UInt8]>.hexadecimal(0...4096).map { Piece(source: nil, bytes: $0) }
        }
        return .mapping(PieceKeys.section) { reader in
            let (hex, text) = (reader[PieceKeys.hex], reader[PieceKeys.text])
            return Piece(source: reader[PieceKeys.from], bytes: hex ?? text.map { Array($0.utf8) } ?? [])
        }
    }

    private enum ExchangeKeys {
        static let section = Section(
            "exchange", rows: [Keys.ask.row, Keys.answer.row], example: "{ask: DDA50300FFFD77, answer: DD03…}")
    }

    private static let exchange = Kind<Exchange>.mapping(ExchangeKeys.section) { reader in
        let (questions, answer) = (reader[Keys.ask], reader[Keys.answer])
        guard let question = questions?.first else {
            reader.mistakes.report("the key 'ask' is missing: add the question", at: reader.position)
            return nil
        }
        return Exchange(question: question, answer: answer)
    }

    /// A value, or the values of fields.
    private static let command = Kind<Command>("value | mapping of names to value") { node, mistakes in
        guard case .mapping = node.content else { return ExpectedValue.kind.read(node, mistakes).map { .value($0) } }
        return Kind<[Named<ExpectedValue>]>.named(ExpectedValue.kind).read(node, mistakes).map { .fields($0) }
    }

    private static let expectation = Kind<Expectation>("mapping of names to value | failed") { node, mistakes in
        if node.content == .scalar("failed", isPlain: true) { return .failure }
        return Kind<[Named<ExpectedValue>]>.named(ExpectedValue.kind).read(node, mistakes).map { .values($0) }
    }

    static let kind = Kind<ProfileTest>.mapping(Keys.section) { reader in
        guard let entry = reader[Keys.entry], let source = reader[Keys.source] else { return nil }
        return ProfileTest(
            entry: entry, position: reader.position, set: reader[Keys.set], question: reader[Keys.ask]?.first,
            answer: reader[Keys.answer], others: reader[Keys.others], expectation: reader[Keys.expect] ?? .nothing,
            parameters: reader[Keys.with],
            pin: reader[Keys.pin], time: reader[Keys.now], source: source)
    }
}

extension Kind where Value == Timestamp {
    fileprivate static var timestamp: Kind {
        Kind<String>.text.map("time") { text throws(InvalidValue) in
            guard let time = Timestamp(text) else {
                throw "expected a time such as 2026-11-27T10:00:00.000Z, found \(text.quotedForMessage)"
            }
            return time
        }
    }
}
