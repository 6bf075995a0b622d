/// The progress of the questions of a device between two starts of the program.
package struct QuestionMemory: Equatable, Sendable {
    /// The progress of the histories, by the name of the entry.
    package var histories: [String: HistoryMemory]
    /// The numbers with an answer to a question with `each`, by the name of the entry.
    package var numbers: [String: [Int]]

    package init(histories: [String: HistoryMemory] = [:], numbers: [String: [Int]] = [:]) {
        self.histories = histories
        self.numbers = numbers
    }

    package var isEmpty: Bool { histories.isEmpty && numbers.isEmpty }
}
