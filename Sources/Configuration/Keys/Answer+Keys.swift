import Bluetooth
import Codec
import System

extension Configuration.Answer {
    enum Keys {
        static let service = Key(
            "service", .service, example: "FFF0",
            "The service of the characteristic on which the answer arrives; that of the question if left out.")
        static let from = Key(
            "from", .characteristic, example: "FFF1",
            "The characteristic on which the answer arrives; the first one that can notify.")
        static let by = Key(
            "by", Kind<Bool>.choice(["notification": false, "read": true]), default: "notification", example: "read",
            "How the answer arrives: notification, or read: it is read after the question was written.")
        static let after = Key(
            "after", .duration, default: "0s", example: "200ms",
            "With by: read, how long after the question the answer is read.")
        static let startsWith = Key(
            "starts_with", Kind<Configuration.FrameShape.Start>.frameStart, example: "[0xDD, command, 0]",
            "The first bytes of the frame: hexadecimal digits, with ? for any digit and | between alternatives; {text: \"A|B\"}; "
                + "or a list of bytes, each a number or a formula of the members of the question.")
        static let length = Key(
            "length", Kind<Configuration.FrameShape.Length>.frameLength, example: "{at: 3, plus: 7}",
            "The number of bytes of the whole frame: a number, a formula of the members of the question, or the place of the "
                + "number in the frame. Without length, ends_with and idle, one notification is one frame.")
        static let endsWith = Key(
            "ends_with", Kind<Configuration.Terminator>.frameEnd, example: "\"77\"",
            "The bytes or the {text: …} that end the frame; with length, they must stand at its end.")
        static let checksum = Key(
            "checksum", Kind<Configuration.FrameShape.Check>.frameCheck, example: "crc16_modbus",
            "The algorithm of the checksum at the end of the frame, before ends_with. A mapping has type, from, bytes, "
                + "endian and plus, or the width, poly, init, reflect and xorout of a CRC. \(Checksum.explanation)"
        )
        static let digits = Key(
            "digits", Kind<Bool>.choice(["hex": true]), example: "hex",
            "hex: the frame is text, in which each line of hexadecimal digits stands for bytes.")
        static let frames = Key(
            "frames", Kind<Configuration.Answer.Count>.frameCount, example: "ceil(status.cells / 3)",
            "The number of frames of the answer: a number, a formula, or {at: BYTE} for a number in each frame; 1 if left out."
        )
        static let sequence = Key(
            "sequence", Kind<Configuration.Answer.Sequence>.frameSequence, example: "{at: 4, first: 1}",
            "The byte with the number of each frame, which must rise by 1.")
        static let join = Key(
            "join", Kind<Range<Int>>.framePart, example: "{at: 5, length: 6}",
            "The bytes of each frame that are joined; all bytes if left out.")
        static let until = Key(
            "until", Mark.kind, example: "{starts_with: \"FF\"}",
            "The frame that ends a series of frames.")
        static let idle = Key(
            "idle", .positiveDuration, example: "500ms", "The silence that ends a series of frames.")
        static let refused = Key(
            "refused", Mark.kind, example: "[0xDD, command, 0x80]",
            "The start of a frame that means no, or a mapping with from, starts_with and length. It has the framing of the "
                + "answer, except its own keys.")
        static let within = Key(
            "within", .positiveDuration, default: "2s",
            "How long the first frame may take, and each further one: 50ms to 5m. The second attempt waits twice as long, the "
                + "third one three times.")
        static let atMost = Key(
            "at_most", .integer(1...Configuration.FrameShape.longest),
            default: "\(Configuration.FrameShape.defaultLimit)", example: "300", "The longest frame in bytes.")

        static let section = Section(
            "answer", service, from, by, after, startsWith, length, endsWith, checksum, digits, frames, sequence, join,
            until, idle, refused, within, atMost, example: "{from: FFF1, starts_with: \"DD\"}",
            advice: [
                "uuid": "did you mean 'from'?", "to": "it belongs into ask", "timeout": "did you mean 'within'?",
                "prefix": "did you mean 'starts_with'?", "crc": "did you mean 'checksum'?",
                "terminator": "did you mean 'ends_with'?", "attempts": "it belongs into ask",
            ])
    }

    /// The node of defaults for answers, whose keys are checked when an entry uses them.
    static let defaults = YAMLNode.checked(Keys.section)

    /// Creates the answer of an entry.
    ///
    /// - Parameters:
    ///   - reader: The merged keys.
    ///   - question: The question; nil for frames that arrive unasked.
    ///   - name: The name of the entry, for messages.
    ///   - names: The names that the formulas may use.
    ///   - parameters: The parameters of the device.
    init?(
        _ reader: MappingReader, to question: Configuration.Question?, of name: String, _ names: [String],
        _ parameters: Environment
    ) {
        let before = reader.mistakes.reports
        let service = reader[Keys.service] ?? question?.destination.service
        let isRead = reader[Keys.by]
        let from = reader[Keys.from]
        let delay = reader[Keys.after]
        let (start, terminator) = (reader[Keys.startsWith], reader[Keys.endsWith])
        let digits = reader[Keys.digits] ?? false
        var frame = Configuration.FrameShape(
            start: start ?? .patterns([]), length: reader[Keys.length], terminator: terminator?.bytes ?? [],
            check: reader[Keys.checksum], isText: terminator?.isText ?? false, isHexadecimal: digits,
            limit: reader[Keys.atMost])
        let (count, sequence, joined) = (reader[Keys.frames], reader[Keys.sequence], reader[Keys.join])
        let (until, idle, refused) = (reader[Keys.until], reader[Keys.idle], reader[Keys.refused])
        let within = reader[Keys.within]
        if within < .milliseconds(50) || within > .seconds(300) {
            reader.report("expected 50ms to 5m, found \(within.text)", at: Keys.within)
        }
        if digits, terminator == nil {
            reader.report(
                "the lines of a text need an end: add ends_with, such as {text: \">\"}", at: Keys.digits)
        }
        if digits { frame.isText = true }
        if delay > .zero, !isRead {
            reader.report("it applies to an answer that is read: add by: read", at: Keys.after)
        }
        guard let from else {
            if reader.mistakes.reports == before {
                reader.mistakes.report(
                    "the answer of \(name.quotedForMessage) needs a characteristic: add from: UUID", at: reader.position
                )
            }
            return nil
        }
        guard reader.mistakes.reports == before else { return nil }
        let source = Configuration.Place(service: service, characteristic: from)
        self.init(
            source: source, method: isRead ? .read(after: delay) : .notification, frame: frame, count: count,
            sequence: sequence, joined: joined, end: until?.mark(source, frame),
            idle: idle, refusal: refused?.mark(source, frame), within: within)
        check(frame.start, at: Keys.startsWith, names, reader)
        check(frame.length, at: Keys.length, names, reader)
        if case .formula(let formula)? = count { reader.check(formula, at: Keys.frames, among: names) }
        for (mark, key) in [(end, Keys.until), (refusal, Keys.refused)] {
            guard let mark else { continue }
            check(mark.frame.start, at: key, names, reader)
            // The mark inherits the length of the answer, whose mistakes are reported there.
            if mark.frame.length != frame.length { check(mark.frame.length, at: key, names, reader) }
        }
        // A parameter with a mistake would cause further mistakes.
        let known = reader.mistakes.isEmpty ? parameters : Environment()
        checkLimits(question?.constants(in: known) ?? known, reader)
    }

    private func check<Value>(
        _ start: Configuration.FrameShape.Start, at key: Key<Value>, _ names: [String], _ reader: MappingReader
    ) {
        guard case .formulas(let formulas) = start else { return }
        for formula in formulas { reader.check(formula, at: key, among: names) }
    }

    private func check<Value>(
        _ length: Configuration.FrameShape.Length?, at key: Key<Value>, _ names: [String], _ reader: MappingReader
    ) {
        if case .formula(let formula)? = length { reader.check(formula, at: key, among: names) }
    }
}

extension Configuration.Answer.Mark {
    /// The keys of a frame with a special meaning, before the framing of the answer completes it.
    struct Entry: Sendable {
        fileprivate let service: UUID?
        fileprivate let from: UUID?
        fileprivate let start: Configuration.FrameShape.Start
        fileprivate let length: Configuration.FrameShape.Length?
        fileprivate let terminator: Configuration.Terminator?
        fileprivate let check: Configuration.FrameShape.Check?

        /// Returns the mark; the framing of the answer applies to a mark on the same characteristic.
        fileprivate func mark(
            _ source: Configuration.Place, _ frame: Configuration.FrameShape
        ) -> Configuration.Answer.Mark {
            var shape = from == nil ? frame : Configuration.FrameShape(limit: frame.limit)
            shape.start = start
            if let length { shape.length = length }
            if let terminator { shape.terminator = terminator.bytes }
            if let check { shape.check = check }
            let place = from.map { Configuration.Place(service: service ?? source.service, characteristic: $0) }
            return Configuration.Answer.Mark(source: place ?? source, frame: shape)
        }
    }

    private enum Keys {
        typealias Answer = Configuration.Answer.Keys
        static let section = Section(
            "frame", Answer.service, Answer.from, Answer.startsWith, Answer.length, Answer.endsWith, Answer.checksum,
            example: "{starts_with: \"FF\"}")
    }

    /// The start of a frame, or a mapping with its own framing.
    static var kind: Kind<Entry> {
        .either("bytes | list of formula | mapping", section: Keys.section) { node in
            guard case .mapping = node.content, node["text"] == nil else {
                return Kind<Configuration.FrameShape.Start>.frameStart.map {
                    Entry(service: nil, from: nil, start: $0, length: nil, terminator: nil, check: nil)
                }
            }
            return .mapping(Keys.section) { reader in
                let (service, from) = (reader[Keys.Answer.service], reader[Keys.Answer.from])
                let (length, terminator) = (reader[Keys.Answer.length], reader[Keys.Answer.endsWith])
                let check = reader[Keys.Answer.checksum]
                guard let start = reader[Keys.Answer.startsWith] else {
                    reader.mistakes.report(
                        "this frame needs its first bytes: add starts_with, such as starts_with: \"FF\"",
                        at: reader.position)
                    return nil
                }
                return Entry(
                    service: service, from: from, start: start, length: length, terminator: terminator, check: check)
            }
        }
    }
}

extension MappingReader {
    /// Reports the names of a formula that are not among the known ones.
    func check<Value>(_ formula: Expression, at key: Key<Value>, among names: [String]) {
        let position = positions[key.row.name] ?? position
        mistakes.check(formula.names.sorted().map { Located($0, at: position) }, among: names)
    }
}

extension YAMLNode {
    /// A mapping whose keys are those of a section, as a node.
    static func checked(_ section: Section) -> Kind<YAMLNode> {
        Kind(section.name, section: section) { node, mistakes in
            guard case .mapping = node.content else {
                mistakes.report(
                    "expected a mapping such as \(section.sample), found \(node.summary)", at: node.position)
                return nil
            }
            return MappingReader(node, section, mistakes).map { _ in node }
        }
    }
}
