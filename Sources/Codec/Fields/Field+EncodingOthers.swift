import Bluetooth

/// The types that are not whole numbers, texts or bytes: floating point, dates and times, names of devices.
extension Field {
    func encodeFloat(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let size = type.size else { preconditionFailure("\(name): a \(type.rawValue) has no size") }
        let raw: UInt64?
        switch value {
        case .null: raw = notANumber
        case .number(let number) where meaning.allows(number):
            raw = number.subtracting(meaning.offset)?.divided(by: meaning.scale).flatMap(floatBits)
        default: raw = nil
        }
        guard let raw else {
            let expected =
                meaning.range == nil ? "a number that fits \(type.rawValue)" : meaning.expectation(nil)
            throw invalid(expected, value)
        }
        bytes.append(Int128(raw), size: size, endian: endian)
    }

    private func floatBits(_ number: Decimal) -> UInt64? {
        switch type {
        case .float16: Float16(number.doubleValue).isFinite ? UInt64(Float16(number.doubleValue).bitPattern) : nil
        case .float32: Float(number.description).flatMap { $0.isFinite ? UInt64($0.bitPattern) : nil }
        case .float64: number.doubleValue.isFinite ? number.doubleValue.bitPattern : nil
        case .medfloat16: MedicalFloat.sfloat.encode(number).map(UInt64.init)
        default: MedicalFloat.float.encode(number).map(UInt64.init)
        }
    }

    var notANumber: UInt64 {
        switch type {
        case .float16: UInt64(Float16.nan.bitPattern)
        case .float32: UInt64(Float.nan.bitPattern)
        case .float64: Double.nan.bitPattern
        case .medfloat16: UInt64(MedicalFloat.sfloat.nan)
        default: UInt64(MedicalFloat.float.nan)
        }
    }

    func encodeDate(_ value: Value) throws(EncodingError) -> Int128 {
        switch value {
        case .null: return 0
        case .string(let text):
            guard let days = CalendarDate(text)?.daysSince1970, 1..<1 << 24 ~= days else { fallthrough }
            return Int128(days)
        default: throw invalid("a day from 1970-01-02 on, as 2026-11-21", value)
        }
    }

    func encodeDateTime(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        switch value {
        case .null: bytes += [UInt8](repeating: 0, count: 7)
        case .string(let text):
            let parts = text.split(separator: "T", omittingEmptySubsequences: false)
            guard parts.count == 2, let date = CalendarDate(parts[0]), CalendarDate.years.contains(date.year),
                let time = TimeOfDay(parts[1])
            else { fallthrough }
            bytes.append(Int128(date.year), size: 2, endian: endian)
            bytes += [date.month, date.day, time.hours, time.minutes, time.seconds].map(UInt8.init)
        default: throw invalid("a time as 2026-11-21T05:09:00, from 1582 to 9999,", value)
        }
    }

    func encodeTimestamp(_ value: Value) throws(EncodingError) -> Int128 {
        switch value {
        case .null: return 0
        case .string(let text):
            guard let seconds = Timestamp.seconds(of: text), 1..<1 << 32 ~= seconds else { fallthrough }
            return Int128(seconds)
        default: throw invalid("a time in UTC as 2026-11-21T05:09:00Z", value)
        }
    }

    func encodeExponentialTime(_ value: Value) throws(EncodingError) -> UInt8 {
        switch value {
        case .null: return 0xFF
        case .number(let time):
            guard let byte = ExponentialTime.encode(time) else { fallthrough }
            return byte
        default: throw invalid("a number of seconds from 0 to \(ExponentialTime.longest)", value)
        }
    }

    func encodeAddress(_ value: Value) throws(EncodingError) -> Int128 {
        switch value {
        case .null where !meaning.unknown.isEmpty: return meaning.unknown[0]
        case .string(let text):
            guard let address = Address(text) else { fallthrough }
            return Int128(address.value)
        default: throw invalid("an address such as C0:00:00:00:00:01", value)
        }
    }

    func encodeUUID(_ value: Value, of length: Int?, to bytes: inout [UInt8]) throws(EncodingError) {
        guard case .string(let text) = value, let uuid = UUID(text) else { throw invalid("a UUID such as 2A6E", value) }
        var content = uuid.littleEndianBytes
        if let length, content.count != length {
            // A short UUID stands in the last bytes of the full one.
            let full = uuid.fullLittleEndianBytes
            guard length == full.count || (length == 4 && content.count == 2) else {
                throw invalid("a UUID of \(length) bytes", value)
            }
            content = full.suffix(length)
        }
        bytes += endian == .little ? content : content.reversed()
    }

    func encodeVersion(_ value: Value, of length: Int?, to bytes: inout [UInt8]) throws(EncodingError) {
        var parts: [UInt8] = []
        if case .string(let text) = value {
            parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
            if parts.map(String.init).joined(separator: ".") != text { parts = [] }
        }
        if let length, parts.count != length { parts = [] }
        guard !parts.isEmpty else { throw invalid("a version such as 1.2.3", value) }
        bytes += parts.reversed()
    }

    func encodePackedVersion(_ value: Value) throws(EncodingError) -> Int128 {
        guard case .string(let text) = value, let number = PackedVersion.encode(text) else {
            throw invalid("a version such as 1.1.083", value)
        }
        return Int128(number)
    }

    func encodeURL(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard case .string(let text) = value, let content = CompressedURL.encode(text) else {
            throw invalid("a URL in ASCII", value)
        }
        bytes += content
    }
}
