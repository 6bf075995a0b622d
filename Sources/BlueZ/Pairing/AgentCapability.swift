/// The input and output capability of an agent; together with the peripheral's capability, it determines the pairing
/// method.
///
/// The raw values are bluetoothd's names. Source: Core Specification, Vol 3, Part H, 2.3.5.1.
enum AgentCapability: String {
    case nothing = "NoInputNoOutput"
    case display = "DisplayOnly"
    case keyboard = "KeyboardOnly"
    case keyboardAndDisplay = "KeyboardDisplay"

    /// Creates the capability that suffices for each element of `answers`.
    init(_ answers: some Collection<PairingAnswers>) {
        let canEnter = answers.contains { $0.passkey != nil || $0.ask != nil }
        let canDisplay = answers.contains { $0.display != nil }
        switch (canEnter, canDisplay) {
        case (true, true): self = .keyboardAndDisplay
        case (true, false): self = .keyboard
        case (false, true): self = .display
        case (false, false): self = .nothing
        }
    }

    /// Returns whether this capability suffices where `other` is needed.
    func includes(_ other: AgentCapability) -> Bool {
        self == other || other == .nothing || self == .keyboardAndDisplay
    }
}
