import Codec
import System

/// The questions of one device that wait to be asked.
///
/// The order: first questions, questions that another one depends on, requests, a series that has begun, and questions that
/// are due, in the order of the file.
struct QuestionQueue: Sendable {
    /// Why a question is asked.
    enum Origin: Equatable, Sendable {
        /// The session needs a value, or a first question is due.
        case due
        /// Another question needs a value of its answer.
        case dependency
        /// A client asks.
        case request(Int)
    }

    struct Entry: Equatable, Sendable {
        let item: Int
        let origin: Origin
        /// The values that a client gives.
        let value: Value?

        var isRequested: Bool {
            if case .request = origin { true } else { false }
        }
    }

    private let plan: ConversationPlan
    private var first: [Entry] = []
    private var urgent: [Entry] = []
    private var requests: [Entry] = []
    /// The series of questions that has begun.
    private var begun: Entry?
    private var due: [Entry] = []
    /// The items that were asked in this session.
    private var asked: Set<Int> = []
    /// When each first question was answered.
    private var answers: [Int: Instant] = [:]
    /// When each repeated first question is due again.
    private var repetitions: [Int: Instant] = [:]

    init(_ plan: ConversationPlan) {
        self.plan = plan
    }

    /// The next question; nil: none waits.
    var next: Entry? {
        first.first ?? urgent.first ?? requests.first ?? begun ?? due.first
    }

    /// Whether questions wait that go before a series that has begun.
    var hasRequests: Bool { !requests.isEmpty || !first.isEmpty }

    /// Whether the next question continues a series that has begun.
    var nextHasBegun: Bool { begun != nil && first.isEmpty && urgent.isEmpty && requests.isEmpty }

    /// Puts a series that has begun behind the requests.
    mutating func resume(_ entry: Entry) {
        begun = entry
    }

    /// Removes and returns the series of an item that has begun; nil: there is none.
    mutating func removeBegun(of item: Int) -> Entry? {
        guard let entry = begun, entry.item == item else { return nil }
        begun = nil
        return entry
    }

    mutating func removeNext() {
        if !first.isEmpty {
            first.removeFirst()
        } else if !urgent.isEmpty {
            urgent.removeFirst()
        } else if !requests.isEmpty {
            requests.removeFirst()
        } else if begun != nil {
            begun = nil
        } else if !due.isEmpty {
            due.removeFirst()
        }
    }

    /// Begins a session: the first questions are due.
    mutating func connected(at now: Instant) {
        asked = []
        repetitions = [:]
        first = (0..<plan.firstCount).filter { item in
            guard let least = plan.items[item].leastInterval, let last = answers[item] else { return true }
            return now - last >= least
        }.map { Entry(item: $0, origin: .due, value: nil) }
    }

    mutating func add(_ item: Int, _ origin: Origin, _ value: Value? = nil) {
        let entry = Entry(item: item, origin: origin, value: value)
        if case .request = origin { return requests.append(entry) }
        guard !due.contains(entry), begun != entry, !urgent.contains(where: { $0.item == item }) else { return }
        due.insert(entry, at: due.firstIndex { $0.item > item } ?? due.endIndex)
    }

    /// Removes and returns all questions.
    mutating func removeAll() -> [Entry] {
        defer { (first, urgent, requests, begun, due, repetitions) = ([], [], [], nil, [], [:]) }
        return first + urgent + requests + [begun].compactMap { $0 } + due
    }

    // MARK: First questions

    /// Adds the first questions that are due again.
    mutating func addRepetitions(at now: Instant) {
        for item in repetitions.keys.sorted() where repetitions[item].map({ $0 <= now }) ?? false {
            repetitions[item] = nil
            first.append(Entry(item: item, origin: .due, value: nil))
        }
    }

    /// When the next first question is due again; nil: none is.
    var nextRepetition: Instant? { repetitions.values.min() }

    mutating func answered(_ entry: Entry, at now: Instant) {
        asked.insert(entry.item)
        guard entry.item < plan.firstCount else { return }
        answers[entry.item] = now
        repetitions[entry.item] = plan.items[entry.item].interval.map { now + $0 }
    }

    mutating func failed(_ entry: Entry) {
        asked.insert(entry.item)
    }

    // MARK: Dependencies

    /// Puts the entries whose values a question needs before the question, once per session.
    ///
    /// - Parameter entry: The question.
    /// - Returns: Whether another question must be asked first; the question is then in the queue again.
    mutating func addDependency(of entry: Entry) -> Bool {
        let owners = plan.items[entry.item].names.compactMap { plan.owner(of: $0) }
        let needed = Set(owners).filter { owner in
            owner != entry.item && !asked.contains(owner) && plan.items[owner].canBeNeeded
        }.sorted()
        guard !needed.isEmpty else { return false }
        // A circle of dependencies must not repeat for ever.
        asked.formUnion(needed)
        due.removeAll { needed.contains($0.item) }
        urgent.removeAll { needed.contains($0.item) }
        urgent = needed.map { Entry(item: $0, origin: .dependency, value: nil) } + [entry] + urgent
        return true
    }
}
