package import BlueZ
package import Bluetooth
internal import Codec
package import JSON

/// A device that was looked into.
package struct InspectedDevice: Sendable {
    package let address: Address
    package let name: String?
    /// In dBm, as heard last.
    package let rssi: Int?
    package let inspection: Inspection

    /// Looks into a peripheral whose link is up.
    ///
    /// - Parameter progress: is called before each characteristic with how many are done, and of how many.
    /// - Throws: `CentralError` when the services cannot be discovered, or the link goes down.
    package init(
        _ peripheral: Peripheral, progress: (Int, Int) -> Void = { _, _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) {
        inspection = try await Inspection(of: peripheral, progress: progress)
        address = peripheral.address
        name = await peripheral.name
        rssi = await peripheral.rssi
    }

    /// For programs.
    package var json: JSON {
        var members: JSON.Object = ["address": .string("\(address)")]
        members["name"] = name.map { .string($0) } ?? .null
        members["rssi"] = rssi.map { .number(JSON.Number($0)) } ?? .null
        members["services"] = JSON(inspection)
        return .object(members)
    }
}
