package import Bluetooth

/// How the questions are answered that come up while a peripheral is paired with.
///
/// With none of these, peripherals are paired with that ask nothing (Just Works).
package struct PairingAnswers: Sendable {
    /// The passkey that the peripheral has or shows; also the only number at which a comparison is confirmed.
    package var passkey: Passkey?
    /// Called, on the loop, with each question that `passkey` does not answer.
    package var ask: (@Sendable (PairingQuestion) -> Void)?
    /// Called, on the loop, with a passkey that is to be entered at the peripheral.
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
