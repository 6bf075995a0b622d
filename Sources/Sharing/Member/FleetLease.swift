import System

/// The right of a gateway to act, which the acknowledgement of its reports renews.
///
/// | state      | meaning                                                                          |
/// |------------|----------------------------------------------------------------------------------|
/// | `asking`   | The decider has not confirmed the gateway.                                        |
/// | `acting`   | The gateway publishes and executes requests.                                      |
/// | `doubting` | The newest acknowledged report is older than 2.5 s: the gateway holds its values. |
/// | `shadow`   | Another process has the name of the gateway.                                      |
///
/// A gateway without a connection to the broker is `away`.
struct FleetLease: Sendable {
    private let rules: FleetRules
    /// Rule 3: whether the last decision has confirmed the gateway.
    private(set) var isConfirmed = false
    /// Whether any decision has confirmed the process.
    private(set) var wasConfirmed = false
    /// The time at which the newest acknowledged report was sent.
    private var renewed: Instant?
    /// The end of the time in which the process does nothing because another one has its name.
    private var shadowEnd: Instant?

    init(_ rules: FleetRules) {
        self.rules = rules
    }

    /// Ends the lease: the connection or the key has changed.
    mutating func end() {
        isConfirmed = false
        renewed = nil
    }

    /// Applies rules 3 and 4 to the acknowledgement of a report.
    ///
    /// `sent` is the time at which the acknowledged report was sent; nil: long ago. `isWhole` is true if the decider agrees
    /// with the last full report.
    ///
    /// - Returns: Whether the acknowledgement is fresh.
    mutating func acknowledge(sent: Instant?, isWhole: Bool, at now: Instant) -> Bool {
        isConfirmed = isWhole || !rules.contains(.confirmation)
        guard isConfirmed else { return false }
        wasConfirmed = true
        guard let sent else { return false }
        renewed = max(renewed ?? sent, sent)
        return now - sent <= FleetConstants.lease
    }

    /// Does nothing for 4 s: another process has the name of the gateway.
    mutating func shadow(isAcknowledged: Bool, at now: Instant) {
        shadowEnd = now + FleetConstants.shadow
        guard isAcknowledged else { return }
        isConfirmed = false
        wasConfirmed = false
    }

    /// Whether another process has the name of the gateway.
    func isShadow(at now: Instant) -> Bool {
        shadowEnd.map { now < $0 } ?? false
    }

    /// Rule 7: whether no other gateway can own a device of this one yet, although the lease may have ended.
    func isUndisputed(at now: Instant) -> Bool {
        guard isConfirmed, !isShadow(at: now), let renewed else { return false }
        return now - renewed < FleetConstants.undisputed
    }

    /// Rule 4: whether the gateway may act.
    func isHeld(at now: Instant) -> Bool {
        guard isConfirmed, !isShadow(at: now), let renewed else { return false }
        return !rules.contains(.lease) || now - renewed <= FleetConstants.lease
    }
}
