internal import BlueZ
internal import Bluetooth
internal import Codec
package import JSON

extension Inspection {
    /// What a response says.
    package var json: JSON {
        var members: JSON.Object = ["address": .string("\(address)")]
        members.add("name", name)
        members["services"] = .array(services.map(\.json))
        return .object(members)
    }
}

extension Inspection.Service {
    fileprivate var json: JSON {
        var members: JSON.Object = ["uuid": .string("\(uuid)")]
        members.add("name", AssignedNumbers.services[uuid])
        members["primary"] = .bool(isPrimary)
        members["includes"] = .array(includedServices.map { .string("\($0)") })
        members["characteristics"] = .array(characteristics.map(\.json))
        return .object(members)
    }
}

extension Inspection.Characteristic {
    fileprivate var json: JSON {
        var members: JSON.Object = ["uuid": .string("\(uuid)")]
        members.add("name", AssignedNumbers.characteristics[uuid])
        members.add("description", userDescription)
        members["flags"] = .array(properties.flags.map { .string($0) })
        switch value {
        case .success(let bytes)?:
            members["hex"] = .string(bytes.hexadecimal)
            if let reading { members["reading"] = JSON(Value.record(reading.payload)) }
        case .failure(let error)?: members["error"] = .string(error.message)
        case nil: break
        }
        return .object(members)
    }
}
