package import Codec

extension Configuration {
    /// The question to a device: the key `ask`.
    package struct Question: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case bytes([UInt8])
            /// The format of the bytes, and the values of its fields, which a command completes.
            case format(Format, [Argument])
        }

        /// The value of a field of the question.
        package struct Argument: Sendable, Equatable {
            package enum Content: Sendable, Equatable {
                case formula(Expression)
                case text(String)
            }

            package let name: String
            package let content: Content

            package init(_ name: String, _ content: Content) {
                self.name = name
                self.content = content
            }

            /// Returns the value.
            ///
            /// - Throws: `FormulaFailure` if a name of the formula has no value.
            package func value(in environment: Environment) throws(FormulaFailure) -> Value {
                switch content {
                case .formula(let formula): try formula.value(in: environment)
                case .text(let text): .string(text)
                }
            }
        }

        /// A series of questions, one for each number: the key `each`.
        package struct Series: Sendable, Equatable {
            /// The longest series of an entry without a history.
            package static let mostNumbers = 64

            /// The name of the number in formulas.
            package let name: String
            package let first: Expression
            package let last: Expression
        }

        /// The longest question in bytes.
        package static let longest = 512
        package static let defaultAttempts = 3

        package var content: Content
        /// The numbers of a question that is asked once for each of them; nil: it is asked once.
        package var series: Series?
        package var destination: Place
        /// Whether the device confirms the write; nil: by the flags of the characteristic.
        package var isConfirmed: Bool?
        /// The condition under which the question is asked; nil: always.
        package var condition: Expression?
        /// The silence before the next question.
        package var pause: Duration
        package var attempts: Int

        package init(
            _ content: Content, to destination: Place, isConfirmed: Bool? = nil, when condition: Expression? = nil,
            pause: Duration = .zero, attempts: Int = defaultAttempts
        ) {
            self.content = content
            self.destination = destination
            self.isConfirmed = isConfirmed
            self.condition = condition
            self.pause = pause
            self.attempts = attempts
        }

        /// The number of bytes; nil if it depends on values.
        package var fixedSize: Int? {
            switch content {
            case .bytes(let bytes): bytes.count
            case .format(let format, _): format.fixedSize
            }
        }

        /// Returns the environment with the members of the question that do not depend on a client.
        package func constants(in environment: Environment) -> Environment {
            var result = environment
            guard case .format(let format, let arguments) = content else { return result }
            for field in format.fields {
                if let assignment = field.assignment { result[field.name] = try? assignment.value(in: environment) }
            }
            for argument in arguments { result[argument.name] = try? argument.value(in: environment) }
            return result
        }

        /// The formulas of the question, except those of its format.
        package var formulas: [Expression] {
            var found = [condition, series?.first, series?.last].compactMap { $0 }
            guard case .format(_, let arguments) = content else { return found }
            for case .formula(let formula) in arguments.map(\.content) { found.append(formula) }
            return found
        }
    }

    /// A question that is asked after each connection, before all others: an item of the key `first`.
    package struct FirstQuestion: Sendable, Equatable {
        package let question: Question
        /// The answer; nil: none is expected.
        package let answer: Answer?
        /// The interval at which the question is repeated while the device is connected; nil: never.
        package let interval: Duration?
        /// The least time between two of these questions; nil: they are asked after each connection.
        package let leastInterval: Duration?

        package init(_ question: Question, _ answer: Answer?, interval: Duration?, leastInterval: Duration?) {
            self.question = question
            self.answer = answer
            self.interval = interval
            self.leastInterval = leastInterval
        }
    }

    /// How the value of an entry is obtained: by a question, by frames that arrive unasked, or both.
    package struct Exchange: Sendable, Equatable {
        /// The question; nil: the entry receives frames that were not asked for.
        package let question: Question?
        /// The answer; nil: the question has none.
        package let answer: Answer?
        /// The entry whose answer this is; nil: the answer is that of the entry itself.
        package let answeringEntry: String?
        /// How the records of the answer are published; nil: the answer is a value.
        package let history: History?

        package init(
            _ question: Question?, _ answer: Answer?, answeringEntry: String? = nil, history: History? = nil
        ) {
            self.question = question
            self.answer = answer
            self.answeringEntry = answeringEntry
            self.history = history
        }

        /// The names in the formulas of the question, of the answer and of the history.
        package var names: Set<String> {
            let formulas = (question?.formulas ?? []) + (answer?.formulas ?? []) + [history?.time].compactMap { $0 }
            var names: Set<String> = formulas.reduce(into: []) { $0.formUnion($1.names) }
            if case .format(let format, _)? = question?.content { names.formUnion(format.outerNames.map(\.name)) }
            return names
        }
    }
}
