package import Bluetooth

/// The answers to the questions of a pairing.
///
/// If all properties are nil, only pairings without questions succeed (Just Works).
package struct PairingAnswers: Sendable {
    /// The passkey that the peripheral shows or that is printed on it.
    ///
    /// A numeric comparison is confirmed only if its number equals the passkey. Nil: `ask` is called.
    package var passkey: Passkey?
    /// Called on the loop with each question that `passkey` does not answer.
    package var ask: (@Sendable (PairingQuestion) -> Void)?
    /// Called on the loop with a passkey that must be entered at the peripheral.
    package var display: (@Sendable (Passkey) -> Void)?

    package init(
        passkey: Passkey? = nil, ask: (@Sendable (PairingQuestion) -> Void)? = nil,
        display: (@Sendable (Passkey) -> Void)? = nil
    ) {
        self.passkey = passkey
        self.ask = ask
        self.display = display
    }
}
