package import Bluetooth

/// Something of the scene that is not there.
package enum SceneError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownPeripheral(String)
    case unknownAdapter(String)
    case unknownCharacteristic(UUID, of: String)
    case adapterIsThere(String)
    case badAdapterName(String)

    package var description: String {
        switch self {
        case .unknownPeripheral(let name): "there is no peripheral \(name) in the fleet: see Peripherals()"
        case .unknownAdapter(let name): "there is no adapter \(name) at present: bluetoothd stands still, or it is out"
        case .unknownCharacteristic(let uuid, let name): "\(name) has no characteristic \(uuid)"
        case .badAdapterName(let name): "\(name) cannot be the name of an adapter: letters and digits, as in hci1"
        case .adapterIsThere(let name): "the adapter is plugged in already, or there is another \(name)"
        }
    }
}
