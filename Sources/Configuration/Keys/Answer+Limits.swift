import Bluetooth
import Codec

/// Checks of the numbers in an answer that are known before the device has answered.
extension Configuration.Answer {
    /// Reports lengths, counts and positions with which no answer is ever found.
    ///
    /// - Parameters:
    ///   - known: The parameters of the device and the members of the question.
    ///   - reader: The keys of the answer.
    func checkLimits(_ known: Environment, _ reader: MappingReader) {
        if let (key, problem) = frame.problem(known) { report(problem, at: key, reader) }
        for (mark, key) in [(end, Keys.until.row.name), (refusal, Keys.refused.row.name)] {
            // The mark inherits keys of the answer, whose problems are reported there.
            if let mark, let (_, problem) = mark.frame.problem(known), frame.problem(known)?.text != problem {
                report(problem, at: key, reader)
            }
        }
        let content = frame.contentSize(known)
        func check(_ end: Int, _ key: String) {
            let size = content ?? frame.limit
            if end > size, size > 0 {
                report(
                    "byte \(end - 1) is not in a frame of \(size.inBytes), counted without checksum and end", at: key,
                    reader)
            }
        }
        if let sequence { check(sequence.position + 1, Keys.sequence.row.name) }
        if let joined { check(joined.upperBound, Keys.join.row.name) }
        switch count {
        case .byte(let position)?: check(position + 1, Keys.frames.row.name)
        case .formula(let formula)?:
            guard let number = try? formula.number(in: known) else { return }
            guard let frames = number.integer, frames > 0 else {
                return report(
                    "expected a whole number of at least 1, but \(formula.text) is \(number)", at: Keys.frames.row.name,
                    reader)
            }
            if frames > Self.longestSeries / max(joined?.count ?? content ?? 1, 1) {
                report(
                    "an answer has at most \(Self.longestSeries) bytes, and \(frames) frames have more",
                    at: Keys.frames.row.name, reader)
            }
        case nil: break
        }
    }

    private func report(_ text: String, at key: String, _ reader: MappingReader) {
        reader.mistakes.report(text, at: reader.positions[key] ?? reader.position)
    }

    /// Returns the number of bytes that the format of the answer sees; nil if the device must answer first.
    ///
    /// - Parameters:
    ///   - known: The parameters of the device and the members of the question.
    ///   - isHistory: Whether each frame is a record.
    /// - Returns: The number of bytes.
    func contentSize(_ known: Environment, isHistory: Bool) -> Int? {
        guard let content = frame.contentSize(known) else { return nil }
        if isHistory { return content }
        guard end == nil, idle == nil else { return nil }
        let size = joined?.count ?? content
        switch count {
        case nil: return size
        case .byte?: return nil
        case .formula(let formula)?:
            guard let frames = (try? formula.number(in: known))?.integer, 1...Self.longestSeries ~= frames else {
                return nil
            }
            return frames * size
        }
    }
}

extension Configuration.FrameShape {
    /// The bytes of a frame that its content excludes.
    private var overhead: Int { (check?.size ?? 0) + terminator.count }

    /// Whether the length determines the end of the frame: a text ends with its terminator.
    private var isMeasured: Bool { length != nil && !isText }

    /// Returns the number of bytes of the frame without checksum and end; nil if it is not known.
    fileprivate func contentSize(_ known: Environment) -> Int? {
        guard isMeasured, case .formula(let formula)? = length, let size = (try? formula.number(in: known))?.integer
        else { return nil }
        return size - overhead
    }

    /// Returns why no frame has this shape, and the key that is wrong; nil: frames can have it.
    fileprivate func problem(_ known: Environment) -> (key: String, text: String)? {
        startProblem(known) ?? lengthProblem(known)
    }

    private func startProblem(_ known: Environment) -> (key: String, text: String)? {
        let key = Configuration.Answer.Keys.startsWith.row.name
        if case .formulas(let formulas) = start {
            for formula in formulas {
                guard let number = try? formula.number(in: known) else { continue }
                if number.integer.map({ !(0...255).contains($0) }) ?? true {
                    return (key, "a byte is a whole number from 0 to 255, but \(formula.text) is \(number)")
                }
            }
        }
        let size = startSize
        if size > limit { return (key, "its \(size.inBytes) are more than at_most, \(limit.inBytes)") }
        return nil
    }

    /// The number of bytes with which each frame begins.
    private var startSize: Int {
        switch start {
        case .patterns(let patterns): patterns.map(\.count).min() ?? 0
        case .formulas(let formulas): formulas.count
        }
    }

    private func lengthProblem(_ known: Environment) -> (key: String, text: String)? {
        let key = Configuration.Answer.Keys.length.row.name
        guard isMeasured, let length else { return nil }
        switch length {
        case .formula(let formula):
            guard let number = try? formula.number(in: known) else { return nil }
            guard let size = number.integer, size > 0 else {
                return (key, "expected a whole number of at least 1, but \(formula.text) is \(number)")
            }
            if size > Self.longest {
                return (key, "a frame has at most \(Self.longest.inBytes), and this one has \(size)")
            }
            if size > limit {
                return (
                    key, "the frame of \(size.inBytes) is longer than at_most, \(limit.inBytes): add at_most: \(size)"
                )
            }
            let least = (check?.checksum.first ?? 0) + overhead
            if size <= least {
                return (
                    key,
                    "a frame of \(size.inBytes) has no content: \(least) bytes are those before from, the checksum and the "
                        + "end"
                )
            }
            if size < startSize {
                return (key, "a frame of \(size.inBytes) is shorter than starts_with, \(startSize.inBytes)")
            }
        case .field(let field):
            if field.position + field.size > limit {
                let last = field.position + field.size - 1
                return (key, "byte \(last) is not in a frame of at most \(limit.inBytes) (at_most)")
            }
            if field.addend > limit {
                return (
                    key,
                    "plus makes each frame longer than at_most, \(limit.inBytes): add at_most, up to \(Self.longest)"
                )
            }
            if field.greatestLength <= 0 {
                return (key, "the length is never greater than \(field.greatestLength): change plus")
            }
        }
        return nil
    }
}

extension Configuration.FrameShape.LengthField {
    /// The length of the frame if each bit of the number is set.
    fileprivate var greatestLength: Int { ((1 << (8 * size)) - 1) * factor + addend }
}
