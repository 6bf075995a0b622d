/// The names that the Bluetooth SIG gave to numbers, in lower case with underscores: `temperature` is 2A6E.
package enum AssignedNumbers {
    package static let services = NumberedNames(serviceTable)
    package static let characteristics = NumberedNames(characteristicTable)
    package static let descriptors = NumberedNames(descriptorTable)
}
