/// The order in which doubtful topics and filters are tried after the broker has closed a connection.
///
/// A suspect is sent alone: all earlier packets are answered, and accepted topics follow it. If the broker closes the
/// connection in the place of an answer, the suspect is the cause. Without suspects, the number of trials at a time grows
/// with each answer, so that a harmless end of a connection delays nothing.
struct AccessTrials {
    private let mostAtOnce: Int
    private var queue = FIFO<Access>()
    /// The elements of the queue that wait; the queue may have others, which were removed.
    private var waiting: Set<Access> = []
    private var suspects: Set<Access> = []
    /// The topics and filters that were sent and not answered.
    private var running: Set<Access> = []
    /// Whether a suspect was sent alone and not answered.
    private var isAlone = false
    /// The maximum number of trials at a time.
    private var width = 1

    init(mostAtOnce: Int) {
        self.mostAtOnce = mostAtOnce
    }

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
    /// Whether nothing else may be sent until all packets are answered, because a suspect comes next.
    var needsSilence: Bool { !isAlone && queue.first.map { suspects.contains($0) } ?? false }

    func contains(_ access: Access) -> Bool { waiting.contains(access) || running.contains(access) }

    /// Adds a topic or a filter at the end.
    mutating func add(_ access: Access, isSuspect: Bool) {
        if isSuspect { suspects.insert(access) }
        if waiting.insert(access).inserted { _ = queue.append(access) }
    }

    /// Removes the next topic or filter to try.
    ///
    /// - Parameter isSilent: Whether all packets that were sent are answered.
    /// - Returns: The topic or the filter; nil if none may be tried now.
    mutating func next(isSilent: Bool) -> Access? {
        guard let access = queue.first else { return nil }
        if suspects.contains(access) {
            guard isSilent, running.isEmpty else { return nil }
            isAlone = true
        } else {
            guard !isAlone, running.count < width else { return nil }
        }
        waiting.remove(access)
        removeGaps()
        running.insert(access)
        return access
    }

    /// Notes an answer of the broker.
    mutating func answered(_ access: Access) {
        remove(access)
        if suspects.isEmpty { width = min(width + 1, mostAtOnce) }
    }

    /// Removes a topic or a filter that is not tried.
    mutating func remove(_ access: Access) {
        waiting.remove(access)
        removeGaps()
        if running.remove(access) != nil, suspects.contains(access) { isAlone = false }
        suspects.remove(access)
    }

    /// Removes the topics and filters that wait and match a condition.
    mutating func removeAll(where isMatch: (Access) -> Bool) {
        for access in waiting where isMatch(access) {
            waiting.remove(access)
            suspects.remove(access)
        }
        removeGaps()
    }

    /// Ends the running trials: they must be added again.
    ///
    /// - Returns: The only trial that was not answered, and whether it was sent alone; nil: there was none, or several.
    mutating func connectionEnded() -> (access: Access, isAlone: Bool)? {
        defer { (running, isAlone, width) = ([], false, 1) }
        guard running.count == 1, let access = running.first else { return nil }
        return (access, isAlone)
    }

    /// Puts suspects before all others, in this order.
    mutating func suspect(_ list: [Access]) {
        reorder(list, before: rest)
        suspects.formUnion(list)
    }

    /// Moves the elements that match a condition behind all others.
    mutating func postpone(_ isMatch: (Access) -> Bool) {
        let rest = rest
        reorder(rest.filter { !isMatch($0) }, before: rest)
    }

    private var rest: [Access] {
        var list: [Access] = []
        queue.forEach { if waiting.contains($0) { list.append($0) } }
        return list
    }

    private mutating func reorder(_ list: [Access], before rest: [Access]) {
        (queue, waiting) = (FIFO(), [])
        for access in list + rest where waiting.insert(access).inserted { _ = queue.append(access) }
    }

    /// Removes the elements at the front that no longer wait.
    private mutating func removeGaps() {
        while let first = queue.first, !waiting.contains(first) { _ = queue.popFirst() }
    }
}
