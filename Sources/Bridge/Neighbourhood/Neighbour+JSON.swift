internal import Bluetooth
internal import Codec
internal import EventLoop
package import JSON

extension Neighbourhood.Neighbour {
    /// For programs: what the packets carried, and what it means.
    package var json: JSON {
        var members: JSON.Object = [
            "address": .string("\(address)"), "kind": .string(kind.rawValue), "adapter": .string(adapter),
        ]
        members["name"] = name.map { .string($0) } ?? .null
        members["rssi"] = rssi.map { .number(JSON.Number($0)) } ?? .null
        members["last_heard"] = .string(lastHeard.description)
        members["services"] = .array(services.map { .string("\($0)") })
        members["manufacturer_data"] = .object(
            JSON.Object(
                manufacturerData.sorted { $0.key < $1.key }.map {
                    (String($0.key, radix: 16, uppercase: true), .string($0.value.hexadecimal))
                }))
        members["service_data"] = .object(
            JSON.Object(serviceData.sorted { $0.key < $1.key }.map { ("\($0.key)", .string($0.value.hexadecimal)) }))
        members["advertisement"] = .object(
            JSON.Object(readings.sorted { $0.key < $1.key }.map { ($0.key, JSON(Value.record($0.value.payload))) }))
        members.add("reason", reason)
        return .object(members)
    }

    /// Why nothing of it can be read, although somebody could.
    private var reason: String? {
        // Bytes that nobody knows, and such as were heard before, are nothing to report of a neighbour.
        guard readings.isEmpty, let obstacle, obstacle != .unknown, obstacle != .repeated else { return nil }
        return obstacle.description
    }
}
