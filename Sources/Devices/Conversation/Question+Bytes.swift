import Codec
import Configuration
import JSON

extension Configuration.Question {
    /// Returns the bytes of the question, and adds its members to the environment.
    ///
    /// - Parameters:
    ///   - value: The values that a client gives; nil: none.
    ///   - environment: The values for formulas.
    /// - Returns: The bytes.
    /// - Throws: `QuestionFailure` if a value is missing, or does not fit its field.
    func bytes(
        _ value: Value?, _ environment: inout Environment
    ) throws(QuestionFailure) -> [UInt8] {
        guard case .format(let format, let arguments) = content else {
            if case .bytes(let bytes) = content { return bytes }
            return []
        }
        var members: [(String, Value)] = []
        do throws(FormulaFailure) {
            for argument in arguments { members.append((argument.name, try argument.value(in: environment))) }
        } catch {
            throw .unaskable("ask: \(error)")
        }
        let names = format.quantities.map(\.name)
        switch value {
        case nil: break
        case .record(let given)?:
            // A client sets only the fields to which the configuration gives no value.
            if let unknown = given.names.first(where: { !names.contains($0) }) {
                throw .wrongValue("\(EncodingError.unknown(field: unknown, known: names))")
            }
            members += given.map { ($0.name, $0.value) }
        // The value of the only field needs no name.
        case let value?: if names.count == 1 { members.append((names[0], value)) }
        }
        let record = Value.record(Record(members))
        let whole = format.hasOneValue ? members.last?.1 ?? record : record
        do throws(EncodingError) {
            let question = try format.encode(whole, in: environment)
            environment.add(question.members)
            return question.bytes
        } catch {
            if case .needs = error { throw .unaskable("ask: \(error)") }
            throw .wrongValue("\(error)")
        }
    }
}

extension Configuration.Question.Series {
    /// The numbers that a question can contain.
    private static let possible = -(1 << 32)...(1 << 32)

    /// Returns the numbers to ask for; nil: none.
    ///
    /// - Throws: `QuestionFailure` if a formula has no result.
    func numbers(in environment: Environment) throws(QuestionFailure) -> ClosedRange<Int>? {
        do throws(FormulaFailure) {
            let (first, last) = (try first.number(in: environment), try last.number(in: environment))
            guard let first = first.integer, let last = last.integer, Self.possible.contains(first),
                Self.possible.contains(last)
            else { throw FormulaFailure.noResult("\(self.first.text), \(self.last.text)") }
            return first <= last ? first...last : nil
        } catch {
            throw .unaskable("each: \(error)")
        }
    }
}
