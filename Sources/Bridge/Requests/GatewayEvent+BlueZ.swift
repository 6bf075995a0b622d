import BlueZ
import Contract

extension BluetoothState {
    init(_ state: ManagerState) {
        switch state {
        case .unknown: self = .unknown
        case .resetting: self = .resetting
        case .unsupported: self = .unsupported
        case .unauthorized: self = .unauthorized
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        }
    }
}

extension RepairStep {
    init(_ repair: Repair) {
        switch repair {
        case .restartScan: self = .restartScan
        case .removeDevice(let address): self = .removeDevice(address)
        case .powerCycle: self = .powerCycle
        }
    }
}

extension GatewayEvent {
    /// Creates the event for a question of a pairing.
    init(_ question: PairingQuestion.Subject, from partner: PairingPartner) {
        switch question {
        case .passkey: self = .passkeyRequest(partner)
        case .comparison(let number): self = .confirm(partner, number: number)
        }
    }
}
