package import Bluetooth

/// The characteristics whose layout the Bluetooth SIG defines.
///
/// Source: GATT Specification Supplement, and the specifications of the services.
package enum Characteristics {
    /// Returns the definition of a UUID; nil if the program knows none.
    package static func definition(of uuid: UUID) -> CharacteristicDefinition? {
        byUUID[uuid]
    }

    /// Returns the definition of a name such as `temperature`.
    package static func definition(named name: String) -> CharacteristicDefinition? {
        AssignedNumbers.characteristics[name].flatMap { byUUID[$0] }
    }

    /// Returns the definition for a name, or for a UUID in any form.
    package static func definition(matching text: String) -> CharacteristicDefinition? {
        definition(named: text) ?? UUID(text).flatMap(definition(of:))
    }

    /// All rows of the tables.
    package static let all: [CharacteristicDefinition] = scalars + recordTables.joined()

    /// Returns the definition of a characteristic that is one value, for the records that contain it.
    static func scalar(_ name: String) -> CharacteristicDefinition? {
        scalarsByName[name]
    }

    private static let scalars = Array(
        [environment, air, electricity, light, mechanics, time, body, device, generic].joined())

    private static let recordTables: [[CharacteristicDefinition]] = [
        ranges, dates, alerts, battery, bloodPressure, thermometer, glucose, continuousGlucose, scales, pulseOximeter,
        heartRate, running, cycling, cyclingPower, fitness, location, cooking, userData, contacts, controlPoints,
    ]

    private static let byUUID = Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0) })

    private static let scalarsByName = Dictionary(uniqueKeysWithValues: scalars.map { ($0.name, $0) })
}
