/// The names of the Bluetooth SIG for its UUIDs, in lower case with underscores: `temperature` is 2A6E.
package enum AssignedNumbers {
    /// Services, without the word "service": `battery` is 180F.
    package static let services = NumberedNames(serviceTable)
    /// Characteristics: `battery_level` is 2A19.
    package static let characteristics = NumberedNames(characteristicTable)
    /// Descriptors: `valid_range` is 2906.
    package static let descriptors = NumberedNames(descriptorTable)
}
