/// The Bluetooth SIG's names of its UUIDs, in lower case with underscores: `temperature` is 2A6E.
package enum AssignedNumbers {
    /// The names of services, without the word "service": `battery` is 180F.
    package static let services = NumberedNames(serviceTable)
    /// The names of characteristics: `battery_level` is 2A19.
    package static let characteristics = NumberedNames(characteristicTable)
    /// The names of descriptors: `valid_range` is 2906.
    package static let descriptors = NumberedNames(descriptorTable)
}
