package import Bluetooth

/// The characteristics whose layout the Bluetooth SIG defines.
///
/// Source: GATT Specification Supplement, and the specifications of the services.
package enum Characteristics {
    /// Returns the definition of the characteristic with a UUID; nil if the tables have none.
    package static func definition(of uuid: UUID) -> CharacteristicDefinition? {
        // The UUID of a maker is in no table: the search would build all of them.
        AssignedNumbers.characteristics[uuid].flatMap(definition(named:))
    }

    /// Returns the definition of the characteristic with a name such as `temperature`; nil if the tables have none.
    package static func definition(named name: String) -> CharacteristicDefinition? {
        definition(named: name, in: scalarTables) ?? definition(named: name, in: recordTables)
    }

    /// The definitions in all tables.
    package static var all: [CharacteristicDefinition] { (scalarTables + recordTables).flatMap { $0() } }

    /// Returns the definition of a characteristic that is one value, which can be a field of a record; nil if none.
    static func scalar(_ name: String) -> CharacteristicDefinition? {
        definition(named: name, in: scalarTables)
    }

    /// Returns a table, which is built at its first use: a gateway needs few tables, and all of them take 0.5 MB.
    private typealias Table = @Sendable () -> [CharacteristicDefinition]

    private static func definition(named name: String, in tables: [Table]) -> CharacteristicDefinition? {
        for table in tables {
            if let definition = table().first(where: { $0.name == name }) { return definition }
        }
        return nil
    }

    private static let scalarTables: [Table] = [
        { environment }, { electricity }, { air }, { light }, { mechanics }, { time }, { body }, { device },
        { generic }, { indoorPositioning },
    ]

    private static let recordTables: [Table] = [
        { ranges }, { dates }, { alerts }, { battery }, { bloodPressure }, { thermometer }, { glucose },
        { continuousGlucose }, { scales }, { pulseOximeter }, { heartRate }, { running }, { cycling }, { cyclingPower },
        { fitness }, { location }, { cooking }, { userData }, { contacts }, { controlPoints },
    ]
}
