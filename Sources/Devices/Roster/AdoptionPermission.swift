package import System

/// When fleet rules with the key `permit` adopt devices.
package struct AdoptionPermission: Sendable {
    /// The start of the gateway, or the last change of the rules.
    private var opened: Instant
    /// The end that the last request `permit` set; nil: there was none since `opened`.
    private var end: Instant?

    package init(at now: Instant) {
        opened = now
    }

    /// Begins the time of each rule.
    package mutating func open(at now: Instant) {
        opened = now
        end = nil
    }

    /// Replaces the time of all rules; zero: no rule adopts devices.
    package mutating func set(to duration: Duration, at now: Instant) {
        end = now + duration
    }

    /// Returns whether a rule adopts devices now.
    ///
    /// - Parameters:
    ///   - permit: The time of the rule; nil: it always adopts devices.
    ///   - now: The present time.
    /// - Returns: Whether the rule is open.
    package func isOpen(_ permit: Duration?, at now: Instant) -> Bool {
        guard let permit else { return true }
        return now < end ?? (opened + permit)
    }
}
