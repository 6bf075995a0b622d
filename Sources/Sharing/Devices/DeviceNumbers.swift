// The types of this folder.
//
// | type            | which question it answers                             |
// |-----------------|-------------------------------------------------------|
// | `DeviceNumbers` | Which number has each shared device?                  |
// | `DeviceValues`  | What is known of each of thousands of devices?        |

/// The numbers of the shared devices of a gateway, from 0 on in the order of their names.
///
/// All parts of the gateway have the same object, so that each name is in memory once.
package final class DeviceNumbers: Sendable {
    /// No devices.
    package static let none = DeviceNumbers([])

    /// The names of the devices, in order.
    package let names: [String]
    private let numbers: [String: Int32]

    /// - Parameter names: Different names, in any order.
    package init(_ names: some Sequence<String>) {
        self.names = names.sorted()
        numbers = Dictionary(uniqueKeysWithValues: zip(self.names, 0...))
    }

    package var count: Int { names.count }

    func contains(_ device: String) -> Bool { numbers[device] != nil }

    /// Returns the number of a device; nil: it is not shared.
    package subscript(device: String) -> Int? { numbers[device].map { Int($0) } }
}
