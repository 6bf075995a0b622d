package import Bluetooth

/// The characteristics whose bytes the Bluetooth SIG laid down (GATT Specification Supplement).
package enum Characteristics {
    /// The definition of a UUID; nil where the SIG laid down nothing, or nothing that this release knows.
    package static func definition(of uuid: UUID) -> CharacteristicDefinition? {
        byUUID[uuid]
    }

    /// The definition of a name: `temperature`.
    package static func definition(named name: String) -> CharacteristicDefinition? {
        AssignedNumbers.characteristics[name].flatMap { byUUID[$0] }
    }

    /// The definition of a name or of a UUID in any form: what a person may write.
    package static func definition(matching text: String) -> CharacteristicDefinition? {
        definition(named: text) ?? UUID(text).flatMap(definition(of:))
    }

    /// Every row of the table.
    package static let all: [CharacteristicDefinition] = scalars + records

    /// A characteristic that is one value, for the records that contain it.
    static func scalar(_ name: String) -> CharacteristicDefinition? {
        scalarsByName[name]
    }

    private static let scalars =
        environment + air + electricity + light + mechanics + time + body + device + generic

    private static let records =
        ranges + dates + alerts + battery + bloodPressure + thermometer + glucose + continuousGlucose + scales
        + pulseOximeter + heartRate + running + cycling + cyclingPower + fitness + location + cooking + userData
        + contacts + controlPoints

    private static let byUUID = Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0) })

    private static let scalarsByName = Dictionary(uniqueKeysWithValues: scalars.map { ($0.name, $0) })
}
