extension AgentCapability {
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
}
