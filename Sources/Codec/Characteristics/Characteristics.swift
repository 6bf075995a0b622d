package import Bluetooth

/// The characteristics whose layout the Bluetooth SIG defines.
///
/// Source: GATT Specification Supplement, and the specifications of the services.
package enum Characteristics {
    /// Returns the definition of the characteristic with a UUID; nil if the tables have none.
    package static func definition(of uuid: UUID) -> CharacteristicDefinition? {
        byUUID[uuid]
    }

    /// Returns the definition of the characteristic with a name such as `temperature`; nil if the tables have none.
    package static func definition(named name: String) -> CharacteristicDefinition? {
        AssignedNumbers.characteristics[name].flatMap { byUUID[$0] }
    }

    /// Returns the definition of the characteristic with a name, or with a UUID in any form; nil if there is none.
    package static func definition(matching text: String) -> CharacteristicDefinition? {
        definition(named: text) ?? UUID(text).flatMap(definition(of:))
    }

    /// The definitions in all tables.
    package static let all: [CharacteristicDefinition] = scalars + recordTables.joined()

    /// Returns the definition of a characteristic that is one value, which can be a field of a record; nil if none.
    static func scalar(_ name: String) -> CharacteristicDefinition? {
        scalarsByName[name]
    }

    private static let scalars = Array(
        [environment, air, electricity, light, mechanics, time, body, device, generic, indoorPositioning].joined())

    private static let recordTables: [[CharacteristicDefinition]] = [
        ranges, dates, alerts, battery, bloodPressure, thermometer, glucose, continuousGlucose, scales, pulseOximeter,
        heartRate, running, cycling, cyclingPower, fitness, location, cooking, userData, contacts, controlPoints,
    ]

    private static let byUUID = Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0) })

    private static let scalarsByName = Dictionary(uniqueKeysWithValues: scalars.map { ($0.name, $0) })
}
