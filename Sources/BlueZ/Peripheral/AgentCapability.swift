/// The input and output capability of an agent; together with the peripheral's capability, it determines the pairing
/// method.
///
/// The raw values are bluetoothd's names. Source: Core Specification, Vol 3, Part H, 2.3.5.1.
enum AgentCapability: String {
    case nothing = "NoInputNoOutput"
    case display = "DisplayOnly"
    case keyboard = "KeyboardOnly"
    case keyboardAndDisplay = "KeyboardDisplay"

    /// Returns whether this capability suffices where `other` is needed.
    func includes(_ other: AgentCapability) -> Bool {
        self == other || other == .nothing || self == .keyboardAndDisplay
    }
}
