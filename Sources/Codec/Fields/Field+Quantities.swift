/// Functions that create the fields of advertisements with their units and kinds.
extension Field {
    @inline(never)
    static func temperature(
        _ type: NumberType, _ scale: Decimal = 1, offset: Decimal = 0, unknown: Int128..., name: String = "temperature"
    ) -> Field {
        .number(name, type, scale, "°C", offset: offset, unknown: unknown, kind: .temperature)
    }

    @inline(never)
    static func humidity(_ type: NumberType, _ scale: Decimal = 1, unknown: Int128..., name: String = "humidity")
        -> Field
    {
        .number(name, type, scale, "%", unknown: unknown, kind: .humidity)
    }

    @inline(never)
    static func battery(_ type: NumberType = .uint8, unknown: Int128..., name: String = "battery") -> Field {
        .number(name, type, 1, "%", unknown: unknown, kind: .battery)
    }

    /// Returns the field of a battery voltage in V; by default, the raw number is in mV.
    @inline(never)
    static func voltage(_ type: NumberType = .uint16, _ scale: Decimal = 0.001, name: String = "voltage") -> Field {
        .number(name, type, scale, "V", kind: .batteryVoltage)
    }

    @inline(never)
    static func pressure(_ type: NumberType, _ scale: Decimal, offset: Decimal = 0, unknown: Int128...) -> Field {
        .number("pressure", type, scale, "hPa", offset: offset, unknown: unknown, kind: .airPressure)
    }

    @inline(never)
    static func illuminance(_ type: NumberType, _ scale: Decimal = 1, unknown: Int128...) -> Field {
        .number("illuminance", type, scale, "lx", unknown: unknown, kind: .illuminance)
    }

    @inline(never)
    static func carbonDioxide(_ type: NumberType = .uint16, unknown: Int128...) -> Field {
        .number("carbon_dioxide", type, 1, "ppm", unknown: unknown, kind: .carbonDioxide)
    }

    /// Returns the field of a particle concentration in μg/m³, e.g.
    ///
    /// `pm25`.
    @inline(never)
    static func particles(
        _ name: String, _ type: NumberType, _ scale: Decimal = 1, unknown: Int128..., kind: Quantity.Kind
    ) -> Field {
        .number(name, type, scale, "μg/m³", unknown: unknown, kind: kind)
    }

    @inline(never)
    static func acceleration(_ axis: String, unknown: Int128...) -> Field {
        .number("acceleration_\(axis)", .sint16, 0.001, "g", unknown: unknown, kind: .measurement)
    }

    @inline(never)
    static func txPower(_ name: String = "tx_power") -> Field {
        .number(name, .sint8, 1, "dBm", kind: .signalStrength)
    }

    /// The address of the sender in the packet, most significant byte first.
    static let mac = Field("mac", .address(.big, unknown: []))

    /// The address of the sender in the packet, least significant byte first.
    static let reversedMAC = Field("mac", .address(.little, unknown: []))

    /// The identifier of an iBeacon, 16 bytes.
    static let beaconIdentifier = Field.uuid("uuid", length: 16).bigEndian

    /// All remaining bytes of a packet, if there are any; the reading does not show them.
    static let rest = Field.bytes("rest").hidden.optional

    /// Returns a hidden field that must have a fixed number: decoding rejects any other number.
    @inline(never)
    static func constant(_ number: Decimal, _ type: NumberType = .uint8) -> Field {
        .number("constant", type, in: number...number).hidden
    }

    /// Returns the field of a temperature in °C that is calculated from earlier fields.
    @inline(never)
    static func calculatedTemperature(_ formula: String, name: String = "temperature") -> Field {
        .calculated(name, formula, "°C", kind: .temperature)
    }

    @inline(never)
    static func calculatedHumidity(_ formula: String) -> Field {
        .calculated("humidity", formula, "%", kind: .humidity)
    }

    /// Returns a field without bytes whose value is the same word in every packet.
    @inline(never)
    static func word(_ name: String, _ word: String) -> Field {
        .calculated(name, "1").named(NamedValues([1: word]).withoutNumbers)
    }

    /// Returns the same field, present only while a flag has none of the numbers.
    func unless(_ flag: String, isAmong numbers: some Sequence<Int>) -> Field {
        numbers.reduce(self) { $0.unless(flag, is: $1) }
    }
}
