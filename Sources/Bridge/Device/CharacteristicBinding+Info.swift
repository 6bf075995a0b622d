import Bluetooth
import Codec
import Configuration
import Contract

extension CharacteristicBinding {
    /// The characteristic's entry in the payload of `PREFIX/DEVICE/info`.
    ///
    /// `read`, `write` and `subscribe` follow from the properties that the device announced, or from the configuration
    /// before the first discovery. `write` is true only if the configuration allows writes.
    var info: DeviceInfo.Characteristic {
        let quantities = format?.quantities ?? []
        let fields = quantities.map { quantity in
            DeviceInfo.Field(
                name: quantity.name,
                unit: quantities.count == 1 ? configuration.unit ?? quantity.unit : quantity.unit)
        }
        return DeviceInfo.Characteristic(
            name: name, uuid: configuration.uuid, service: configuration.service,
            canRead: properties?.contains(.read) ?? (configuration.read != nil),
            canWrite: configuration.write != nil && properties?.canWrite ?? true,
            canSubscribe: properties?.canSubscribe ?? configuration.subscribe, state: configuration.state,
            flags: properties?.flags, fields: fields)
    }
}
