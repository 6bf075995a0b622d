import BlueZ
import Bluetooth

/// The state of a device's bonding: the open question of a pairing, and what has been done or reported already.
final class DeviceBond {
    /// The question of a pairing that waits for an answer.
    private var question: PairingQuestion?
    /// Whether the connection was ended in order to pair on a new one.
    private(set) var hasReconnected = false
    /// Whether `bond_required` has been published since the last bond.
    private var isRequirementReported = false

    /// Keeps a question until a request brings the passkey.
    func ask(_ question: PairingQuestion) {
        self.question = question
    }

    /// Answers the open question, if there is one.
    func answer(_ passkey: Passkey?) {
        guard let passkey, let question else { return }
        self.question = nil
        question.answer(passkey)
    }

    /// The pairing has ended: its question is void.
    func dropQuestion() {
        question = nil
    }

    /// The connection is being ended in order to pair on a new one.
    func reconnecting() {
        hasReconnected = true
    }

    /// A request to pair has been answered.
    func requestEnded() {
        hasReconnected = false
    }

    /// The device has been bonded with.
    func bonded() {
        isRequirementReported = false
    }

    /// Returns true the first time after each bond: each value of the device meets the same refusal.
    func shouldReportRequirement() -> Bool {
        defer { isRequirementReported = true }
        return !isRequirementReported
    }
}
