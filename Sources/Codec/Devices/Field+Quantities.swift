/// The quantities that many advertisements have, each with its unit and its class.
extension Field {
    @inline(never)
    static func temperature(
        _ type: FieldType, _ scale: Decimal = 1, offset: Decimal = 0, unknown: Int128..., name: String = "temperature"
    ) -> Field {
        .number(name, type, scale, "°C", offset: offset, unknown: unknown, homeAssistant: .temperature)
    }

    @inline(never)
    static func humidity(_ type: FieldType, _ scale: Decimal = 1, unknown: Int128..., name: String = "humidity")
        -> Field
    {
        .number(name, type, scale, "%", unknown: unknown, homeAssistant: .humidity)
    }

    @inline(never)
    static func battery(_ type: FieldType = .uint8, unknown: Int128..., name: String = "battery") -> Field {
        .number(name, type, 1, "%", unknown: unknown, homeAssistant: .battery)
    }

    /// The voltage of the battery; as a rule it comes in thousandths.
    @inline(never)
    static func voltage(_ type: FieldType = .uint16, _ scale: Decimal = 0.001, name: String = "voltage") -> Field {
        .number(name, type, scale, "V", homeAssistant: .voltage)
    }

    @inline(never)
    static func pressure(_ type: FieldType, _ scale: Decimal, offset: Decimal = 0, unknown: Int128...) -> Field {
        .number("pressure", type, scale, "hPa", offset: offset, unknown: unknown, homeAssistant: .airPressure)
    }

    @inline(never)
    static func illuminance(_ type: FieldType, _ scale: Decimal = 1, unknown: Int128...) -> Field {
        .number("illuminance", type, scale, "lx", unknown: unknown, homeAssistant: .illuminance)
    }

    @inline(never)
    static func carbonDioxide(_ type: FieldType = .uint16, unknown: Int128...) -> Field {
        .number("carbon_dioxide", type, 1, "ppm", unknown: unknown, homeAssistant: .carbonDioxide)
    }

    /// The mass of particles up to a size: `pm25` and the like.
    @inline(never)
    static func particles(
        _ name: String, _ type: FieldType, _ scale: Decimal = 1, unknown: Int128..., homeAssistant: HomeAssistantClass
    ) -> Field {
        .number(name, type, scale, "μg/m³", unknown: unknown, homeAssistant: homeAssistant)
    }

    @inline(never)
    static func acceleration(_ axis: String, unknown: Int128...) -> Field {
        .number("acceleration_\(axis)", .sint16, 0.001, "g", unknown: unknown, homeAssistant: .plain)
    }

    @inline(never)
    static func txPower(_ name: String = "tx_power") -> Field {
        .number(name, .sint8, 1, "dBm", homeAssistant: .signalStrength)
    }

    /// The address that the packet repeats, most significant byte first.
    static let mac = Field("mac", .address).bigEndian

    /// The same in the order of the air.
    static let reversedMAC = Field("mac", .address)

    /// The identifier of an iBeacon.
    static let beaconIdentifier: Field = {
        var field = Field("uuid", .uuid).bigEndian
        field.length = 16
        return field
    }()

    /// Whatever else a packet may have at its end.
    static let rest = Field.bytes("rest").hidden.optional

    /// A byte, or more, that is always the same.
    @inline(never)
    static func constant(_ number: Decimal, _ type: FieldType = .uint8) -> Field {
        .number("constant", type, in: number...number).hidden
    }

    /// A calculated temperature, humidity or the like.
    @inline(never)
    static func calculatedTemperature(_ formula: String, name: String = "temperature") -> Field {
        .calculated(name, formula, "°C", homeAssistant: .temperature)
    }

    @inline(never)
    static func calculatedHumidity(_ formula: String) -> Field {
        .calculated("humidity", formula, "%", homeAssistant: .humidity)
    }

    /// What makes the bytes none that can be read, unless the formula is zero.
    @inline(never)
    static func refused(_ name: String, if formula: String) -> Field {
        var field = Field.calculated(name, formula).hidden
        field.meaning.range = 0...0
        return field
    }

    /// A word that is always the same.
    @inline(never)
    static func word(_ name: String, _ word: String) -> Field {
        var field = Field.calculated(name, "1").named(NamedValues([1: word]))
        field.meaning.values?.areWords = true
        return field
    }

    /// A condition that is true when a formula is not zero.
    @inline(never)
    static func truth(_ name: String, _ formula: String) -> Field {
        .calculated(name, formula, type: .boolean)
    }

    /// The same field, there only when a flag has none of these numbers.
    func unless(_ flag: String, isAmong numbers: some Sequence<Int>) -> Field {
        numbers.reduce(self) { $0.unless(flag, is: $1) }
    }
}
