import Bluetooth
import Codec
package import JSON
import System

extension NearbyDevice {
    /// The device as JSON, with its data and its readings.
    package var json: JSON {
        var members: JSON.Object = [
            "address": .text(address), "kind": .string(kind.rawValue), "adapter": .string(adapter),
        ]
        members["name"] = name.map { .string($0) } ?? .null
        members["rssi"] = rssi.map { .number($0) } ?? .null
        members["last_heard"] = .string(lastSeen.description)
        members["services"] = .array(services.map { .text($0) })
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

    /// The reason why data of a known format cannot be decoded; nil otherwise.
    private var reason: String? {
        // Data of an unknown format and repeated packets are not reported.
        guard readings.isEmpty, let obstacle, obstacle != .unknown, obstacle != .repeated else { return nil }
        return obstacle.description
    }
}
