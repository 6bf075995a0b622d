import System

/// The kinds of topics and filters that the broker refuses as a whole, as far as it can be concluded.
///
/// A topic is of up to three kinds: its first level; its first two levels; its first and last level. After three
/// refusals of a kind without an acceptance in between, the rest of the kind is held back, if the refused topics are
/// different enough: those of a first level in the second and the last level, those of two first levels in the last one.
/// One topic of the kind is tried after 10 s, with delays that double up to one hour. An acceptance ends the rule.
struct AccessKinds {
    enum Verdict {
        /// No kind of the topic is held back.
        case free
        /// A kind of the topic is held back, and this topic is the one to try.
        case trial
        case held
    }

    private struct Kind: Hashable {
        let isSubscription: Bool
        let first: Substring
        var second: Substring?
        var last: Substring?
    }

    private enum Variety {
        case none
        case all(Substring)
        case several

        func with(_ level: Substring) -> Variety {
            switch self {
            case .none: .all(level)
            case .all(let other): other == level ? self : .several
            case .several: self
            }
        }

        var isLarge: Bool { if case .several = self { true } else { false } }
    }

    private struct Refusals {
        /// The number of refusals since the last acceptance.
        var count = 0
        var retryAt = Instant(nanoseconds: 0)
        var seconds = Variety.none
        var lasts = Variety.none

        /// Whether the rest of the kind is held back.
        func holds(_ kind: Kind) -> Bool {
            count >= AccessKinds.limit && (kind.last != nil || lasts.isLarge && (kind.second != nil || seconds.isLarge))
        }

        mutating func scheduleTrial(at now: Instant) {
            retryAt =
                now + Backoff.delay(first: .seconds(10), longest: .seconds(3600), afterFailures: count - limit)
        }
    }

    /// The number of refusals after which a kind is held back.
    private static let limit = 3
    /// The maximum number of kinds; without this limit, clients could fill the memory with Response Topics.
    private static let mostKinds = 1000

    private var kinds: [Kind: Refusals] = [:]

    var isEmpty: Bool { kinds.isEmpty }
    /// The time of the next trial; nil if no kind is held back.
    var nextTrial: Instant? { kinds.lazy.filter { $0.value.holds($0.key) }.map(\.value.retryAt).min() }

    /// Returns whether a kind of a topic or a filter is held back.
    func holds(_ access: Access) -> Bool {
        !kinds.isEmpty && Self.kinds(of: access).contains { holds($0) }
    }

    /// Returns whether the topics or filters with the same first and last level are held back.
    func holdsLast(of access: Access) -> Bool {
        !kinds.isEmpty && Self.kinds(of: access).contains { $0.last != nil && holds($0) }
    }

    /// Returns whether two topics or filters share the first two levels, or the first and the last one.
    static func areSimilar(_ one: Access, _ other: Access) -> Bool {
        !Set(kinds(of: one).dropFirst()).isDisjoint(with: kinds(of: other))
    }

    private func holds(_ kind: Kind) -> Bool { kinds[kind]?.holds(kind) == true }

    /// Returns whether a topic or a filter may be tried; schedules the next trial of its kinds.
    mutating func admit(_ access: Access, at now: Instant) -> Verdict {
        guard !kinds.isEmpty else { return .free }
        let held = Self.kinds(of: access).filter { holds($0) }
        guard !held.isEmpty else { return .free }
        if held.contains(where: { kinds[$0].map { now < $0.retryAt } ?? false }) { return .held }
        for kind in held { kinds[kind]?.scheduleTrial(at: now) }
        return .trial
    }

    mutating func refused(_ access: Access, at now: Instant) {
        for kind in Self.kinds(of: access) where kinds[kind] != nil || kinds.count < Self.mostKinds {
            var refusals = kinds[kind] ?? Refusals()
            refusals.count += 1
            let levels = Self.levels(of: access)
            refusals.seconds = refusals.seconds.with(levels.dropFirst().first ?? "")
            refusals.lasts = refusals.lasts.with(levels.last ?? "")
            refusals.scheduleTrial(at: now)
            kinds[kind] = refusals
        }
    }

    /// Returns whether a kind is no longer held back.
    mutating func accepted(_ access: Access) -> Bool {
        guard !kinds.isEmpty else { return false }
        var isReleased = false
        for kind in Self.kinds(of: access) {
            if kinds.removeValue(forKey: kind)?.holds(kind) == true { isReleased = true }
        }
        return isReleased
    }

    private static func levels(of access: Access) -> [Substring] {
        access.name.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func kinds(of access: Access) -> [Kind] {
        let levels = levels(of: access)
        let first = Kind(isSubscription: access.isSubscription, first: levels[0])
        guard levels.count > 1 else { return [first] }
        var (second, last) = (first, first)
        second.second = levels[1]
        last.last = levels.last
        return [first, second, last]
    }
}
