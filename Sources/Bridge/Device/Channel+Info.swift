internal import Bluetooth
internal import Codec
internal import Configuration
internal import JSON

extension Channel {
    /// What `PREFIX/DEVICE/info` says of the characteristic: what the device can do where that is known, and what it is
    /// used for where not. Nothing can be written but what the configuration allows.
    var info: JSON {
        var members: [(String, JSON)] = [("uuid", .string("\(configuration.uuid)"))]
        if let service = configuration.service { members.append(("service", .string("\(service)"))) }
        members.append(("read", .bool(abilities?.contains(.read) ?? (configuration.read != nil))))
        members.append(("write", .bool(configuration.write != nil && abilities?.canWrite ?? true)))
        members.append(("subscribe", .bool(abilities?.canSubscribe ?? configuration.subscribe)))
        if let abilities { members.append(("flags", .array(abilities.flags.map { .string($0) }))) }
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
