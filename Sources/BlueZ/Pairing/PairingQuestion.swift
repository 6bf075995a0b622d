package import Bluetooth

/// A question of bluetoothd during a pairing.
///
/// bluetoothd waits about 30 s for the answer.
package struct PairingQuestion: Sendable {
    package enum Subject: Hashable, Sendable {
        /// The question which passkey the peripheral shows, or is printed on it.
        case passkey
        /// The question whether the peripheral shows the same number.
        case comparison(Passkey)
    }

    package let peripheral: Address
    package let subject: Subject
    let answerHandler: @Sendable (Passkey?) -> Void

    init(peripheral: Address, subject: Subject, _ answerHandler: @escaping @Sendable (Passkey?) -> Void) {
        self.peripheral = peripheral
        self.subject = subject
        self.answerHandler = answerHandler
    }

    /// Answers the question; must be called on the loop.
    ///
    /// A second answer and a late answer are ignored.
    ///
    /// - Parameter passkey: The number that the peripheral shows; nil rejects the pairing.
    package func answer(_ passkey: Passkey?) {
        answerHandler(passkey)
    }
}
