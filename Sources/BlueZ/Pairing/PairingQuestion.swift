package import Bluetooth

/// What has to be known to go on with a pairing; it waits for an answer for about half a minute.
package struct PairingQuestion: Sendable {
    package enum Subject: Hashable, Sendable {
        /// Which passkey the peripheral shows, or has printed on it.
        case passkey
        /// Whether the peripheral shows this number, too.
        case comparison(Passkey)
    }

    package let peripheral: Address
    package let subject: Subject
    let answered: @Sendable (Passkey?) -> Void

    /// Answers, on the loop; a second answer, or one that comes too late, has no effect.
    ///
    /// - Parameter passkey: the number that the peripheral shows; nil: the pairing is refused.
    package func answer(_ passkey: Passkey?) {
        answered(passkey)
    }
}
