import Bluetooth
import Codec
import Configuration
import JSON

extension CharacteristicBinding {
    /// The characteristic's entry in the payload of `PREFIX/DEVICE/info`.
    ///
    /// `read`, `write` and `subscribe` follow from the properties that the device announced, or from the configuration
    /// before the first discovery. `write` is true only if the configuration allows writes.
    var info: JSON {
        var members: [(String, JSON)] = [("uuid", .string("\(configuration.uuid)"))]
        if let service = configuration.service { members.append(("service", .string("\(service)"))) }
        members.append(("read", .bool(properties?.contains(.read) ?? (configuration.read != nil))))
        members.append(("write", .bool(configuration.write != nil && properties?.canWrite ?? true)))
        members.append(("subscribe", .bool(properties?.canSubscribe ?? configuration.subscribe)))
        if let properties { members.append(("flags", .array(properties.flags.map { .string($0) }))) }
        let quantities = format?.quantities ?? []
        let fields = quantities.map { quantity -> JSON in
            var field: [(String, JSON)] = [("name", .string(quantity.name))]
            let unit = quantities.count == 1 ? configuration.unit ?? quantity.unit : quantity.unit
            if let unit { field.append(("unit", .string(unit))) }
            return .object(JSON.Object(field))
        }
        members.append(("fields", .array(fields)))
        return .object(JSON.Object(members))
    }
}
