import Codec
package import Configuration

/// The questions as a user can see them before they are asked.
extension ConversationPlan {
    /// A question, and what is known of its bytes.
    package struct Preview: Sendable {
        package enum Content: Sendable {
            case bytes([UInt8])
            /// The bytes must not be shown.
            case secret(Secrecy)
            /// A request gives the values.
            case command
            /// The bytes depend on an answer; the text is the reason.
            case unknown(String)
            /// The condition is false without an answer of the device.
            case notAsked(condition: String)
        }

        package let name: String
        package let destination: Configuration.Place
        package let content: Content
        /// The numbers of a question that is asked once for each, such as `1 to count.packs`; nil: it is asked once.
        package let numbers: String?
    }

    /// Returns the questions in the order in which they are asked after a connection.
    ///
    /// - Parameters:
    ///   - moment: The time for questions that contain it.
    ///   - hasPIN: Whether the device has a PIN, whose value is not known here.
    /// - Returns: The questions, also those that are never asked.
    package func previews(at moment: Moment, hasPIN: Bool) -> [Preview] {
        var environment = QuestionValues(self).environment(at: moment)
        if hasPIN { environment["pin"] = nil }
        return items.enumerated().compactMap { index, item in
            guard let question = item.question else { return nil }
            func preview(_ content: Preview.Content) -> Preview {
                Preview(
                    name: item.name, destination: question.destination, content: content,
                    numbers: question.series.map { "\($0.first.text) to \($0.last.text)" })
            }
            if let condition = question.condition, (try? condition.isTrue(in: environment)) == false {
                return preview(.notAsked(condition: condition.text))
            }
            if let secrecy = secrecy(of: index), hasPIN || isEncrypted { return preview(.secret(secrecy)) }
            if item.isCommand { return preview(.command) }
            var values = environment
            if item.history != nil {
                values["since"] = .number(Decimal(HistoryProgress.firstStart(at: moment.seconds)))
                for name in lastNames { values[name] = .number(.zero) }
            }
            if let series = question.series, let first = try? series.first.number(in: values) {
                values[series.name] = .number(first)
            }
            do throws(QuestionFailure) {
                return preview(.bytes(try question.bytes(nil, &values)))
            } catch {
                return preview(.unknown("\(error)"))
            }
        }
    }
}
