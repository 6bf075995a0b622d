import BlueZ
import Bluetooth

/// The state of pairing with a device: the open question, and the steps that must not be repeated.
final class DeviceBond {
    /// The question of a pairing that waits for an answer; nil if there is none.
    private var question: PairingQuestion?
    /// Whether the connection was ended so that pairing can use a new connection.
    private(set) var hasReconnected = false
    /// Whether `bond_required` has been published since the last bond.
    private var isRequirementReported = false

    /// Stores a question until a request supplies the passkey.
    func ask(_ question: PairingQuestion) {
        self.question = question
    }

    /// Answers the open question; does nothing without an open question or without a passkey.
    func answer(_ passkey: Passkey?) {
        guard let passkey, let question else { return }
        self.question = nil
        question.answer(passkey)
    }

    /// Drops the open question after the pairing has ended.
    func dropQuestion() {
        question = nil
    }

    /// Notes that the connection is being ended so that pairing can use a new connection.
    func reconnecting() {
        hasReconnected = true
    }

    /// Notes that a request to pair has been answered.
    func requestEnded() {
        hasReconnected = false
    }

    /// Notes a new bond: `bond_required` may be published again.
    func bonded() {
        isRequirementReported = false
    }

    /// Returns whether to publish `bond_required`: true only for the first call after each bond.
    ///
    /// Without a bond, the device rejects each further access for the same reason.
    func shouldReportRequirement() -> Bool {
        defer { isRequirementReported = true }
        return !isRequirementReported
    }
}
