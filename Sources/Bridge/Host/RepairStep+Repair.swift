import BlueZ
import Contract

extension RepairStep {
    init(_ repair: Repair) {
        switch repair {
        case .restartScan: self = .restartScan
        case .removeDevice(let address): self = .removeDevice(address)
        case .powerCycle: self = .powerCycle
        }
    }
}
