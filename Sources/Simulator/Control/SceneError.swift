package import Bluetooth

/// The reason why a change of the simulation failed: an unknown object, or a name that is invalid or in use.
package enum SceneError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownPeripheral(String)
    case unknownAdapter(String)
    case unknownCharacteristic(UUID, of: String)
    case adapterExists(String)
    case invalidAdapterName(String)
    case unknownHost(String)
    case hostIsOff(String)
    case unknownObject(String)
    case invalidPosition(String)

    package var description: String {
        switch self {
        case .unknownPeripheral(let name):
            "unknown peripheral \(name): Peripherals() lists the peripherals of the fleet"
        case .unknownAdapter(let name):
            "unknown adapter \(name): it is not in the fleet file or unplugged, or bluetoothd is stopped"
        case .unknownCharacteristic(let uuid, let name): "\(name) has no characteristic \(uuid)"
        case .invalidAdapterName(let name):
            "invalid adapter name \(name): use letters and digits, for example hci1"
        case .unknownHost(let name): "unknown host \(name): Hosts() lists the hosts of the fleet"
        case .hostIsOff(let name): "the host \(name) is switched off: HostPowerOn switches it on"
        case .unknownObject(let name):
            "\(name) is no peripheral and no host: Peripherals() and Hosts() list the names of the fleet"
        case .invalidPosition(let name):
            "\(name) cannot be moved: give coordinates from -10000 to 10000, in metres"
        case .adapterExists(let name): "the adapter is already plugged in, or another adapter is named \(name)"
        }
    }
}
