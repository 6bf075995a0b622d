package import Bluetooth

/// A question of bluetoothd during a pairing.
///
/// bluetoothd waits about 30 s for the answer.
package struct PairingQuestion: Sendable {
    package enum Subject: Hashable, Sendable {
        /// Which passkey does the peripheral show, or have printed on it?
        case passkey
        /// Does the peripheral show this number too?
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

    /// Answers the question, on the loop.
    ///
    /// A second answer, or one that comes too late, is ignored.
    ///
    /// - Parameter passkey: The number that the peripheral shows; nil rejects the pairing.
    package func answer(_ passkey: Passkey?) {
        answerHandler(passkey)
    }
}
