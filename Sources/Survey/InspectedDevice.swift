package import BlueZ
package import Bluetooth
import Codec
package import JSON

/// An inspected device.
package struct InspectedDevice: Sendable {
    package let address: Address
    package let name: String?
    /// The last signal strength in dBm.
    package let rssi: Int?
    package let inspection: Inspection

    /// Inspects a connected peripheral.
    ///
    /// - Parameters:
    ///   - peripheral: the peripheral, which must be connected.
    ///   - progress: called before each characteristic with the number of completed characteristics and the total.
    ///   - isolation: the actor of the caller.
    /// - Throws: `CentralError` if the services cannot be discovered or the connection ends.
    package init(
        _ peripheral: Peripheral, progress: (Int, Int) -> Void = { _, _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) {
        inspection = try await Inspection(of: peripheral, progress: progress)
        address = peripheral.address
        name = await peripheral.name
        rssi = await peripheral.rssi
    }

    /// The device and the result of the inspection as JSON.
    package var json: JSON {
        var members: JSON.Object = ["address": .text(address)]
        members["name"] = name.map { .string($0) } ?? .null
        members["rssi"] = rssi.map { .number($0) } ?? .null
        members["services"] = JSON(inspection)
        return .object(members)
    }
}
