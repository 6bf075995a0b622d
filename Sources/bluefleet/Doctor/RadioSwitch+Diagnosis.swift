internal import BlueZ

extension RadioSwitch {
    /// What is wrong with those for Bluetooth.
    static func findings() -> [Diagnosis] {
        all().compactMap { radio in
            switch radio.block {
            case .hard: .wrong("rfkill", "\(radio.radio) is switched off by a switch or key of the machine", nil)
            case .soft: .wrong("rfkill", "\(radio.radio) is blocked", "sudo rfkill unblock bluetooth")
            case nil: nil
            }
        }
    }
}
