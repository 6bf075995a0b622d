/// What an agent can do for a pairing, in bluetoothd's words; with the peripheral's own it decides which way is taken.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.1.
enum AgentCapability: String {
    case nothing = "NoInputNoOutput"
    case display = "DisplayOnly"
    case keyboard = "KeyboardOnly"
    case keyboardAndDisplay = "KeyboardDisplay"

    /// What can be done with any of these answers.
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

    /// Whether it is enough where `other` is wanted.
    func includes(_ other: AgentCapability) -> Bool {
        self == other || other == .nothing || self == .keyboardAndDisplay
    }
}
