/// The encoding of a value of a fixed size that is not a number.
package enum ValueType: String, Hashable, Sendable, CaseIterable {
    /// One byte: 0 or 1.
    case boolean
    /// One byte; only its lowest bit is used (the format 0x01 of the descriptor 2904).
    case bit
    /// Three bytes: days since 1970-01-01, read as `2026-11-21` (characteristic 2AED).
    case date
    /// Seven bytes: year, month, day, hours, minutes, seconds (characteristic 2A08), read as `2026-11-21T05:09:00`.
    case dateTime = "date_time"
    /// Four bytes: seconds since 1970-01-01, read as `2026-11-21T05:09:00+00:00`.
    case timestamp
    /// One byte N: 1.1^(N-64) seconds, or 0 s if N is 0 (characteristic 2B13).
    case exponentialTime = "exponential_time"
    /// Three bytes of a version `1.1.083`: the first part in the lower half of the first byte, the second part in its
    /// upper half, and the third part in the other two bytes.
    case packedVersion = "packed_version"

    /// The size in bytes.
    package var size: Int {
        switch self {
        case .boolean, .bit, .exponentialTime: 1
        case .date, .packedVersion: 3
        case .timestamp: 4
        case .dateTime: 7
        }
    }
}

extension ValueType {
    /// Decodes the value at a position; the caller has checked that all bytes exist.
    func decode(
        _ bytes: Span<UInt8>, at start: Int, endian: Field.Endian, field: String
    ) throws(DecodingError) -> Value {
        func number() -> UInt64 { bytes.unsigned(at: start, size: size, endian: endian) }
        switch self {
        case .boolean:
            guard bytes[start] <= 1 else { throw .invalid(field: field, "expected 0 or 1, found \(bytes[start])") }
            return .boolean(bytes[start] == 1)
        case .bit: return .boolean(bytes[start] & 1 == 1)
        case .date: return CalendarDate.decode(days: Int(number()))
        case .dateTime: return try decodeDateTime(bytes, at: start, endian: endian, field: field)
        case .timestamp: return UnixTime.decode(seconds: Int(number()))
        case .exponentialTime: return ExponentialTime.decode(bytes[start])
        case .packedVersion: return .string(PackedVersion.decode(UInt32(number())))
        }
    }

    private func decodeDateTime(
        _ bytes: Span<UInt8>, at start: Int, endian: Field.Endian, field: String
    ) throws(DecodingError) -> Value {
        let date = CalendarDate(
            year: Int(bytes.unsigned(at: start, size: 2, endian: endian)), month: Int(bytes[start + 2]),
            day: Int(bytes[start + 3]))
        let time = TimeOfDay(
            hours: Int(bytes[start + 4]), minutes: Int(bytes[start + 5]), seconds: Int(bytes[start + 6]))
        guard time.isValid else { throw .invalid(field: field, "\(time) is not a time of day") }
        guard date.year == 0 || CalendarDate.years.contains(date.year) else {
            throw .invalid(field: field, "expected a year from 1582 to 9999, or 0, found \(date.year)")
        }
        guard date.isValid || date.isUnknown else { throw .invalid(field: field, "\(date) is not a date") }
        if date.isUnknown { return .null }
        return .string("\(date)T\(time)")
    }

    func encode(_ value: Value, to bytes: inout [UInt8], endian: Field.Endian, field: String) throws(EncodingError) {
        func invalid(_ expected: String) -> EncodingError {
            .invalid(field: field, expected: expected, found: value.description)
        }
        func append(_ number: some BinaryInteger) { bytes.append(Int128(number), size: size, endian: endian) }
        switch (self, value) {
        case (.boolean, _), (.bit, _):
            guard let isTrue = value.truth else { throw invalid("true or false") }
            append(isTrue ? 1 : 0)
        case (.date, .null), (.timestamp, .null): append(0)
        case (.date, _):
            guard case .string(let text) = value, let days = CalendarDate(text)?.daysSince1970, 1..<1 << 24 ~= days
            else { throw invalid("a date from 1970-01-02 on, such as 2026-11-21") }
            append(days)
        case (.dateTime, .null): bytes += [UInt8](repeating: 0, count: size)
        case (.dateTime, _):
            guard case .string(let text) = value, let moment = Self.dateAndTime(text) else {
                throw invalid("a date and time from 1582 to 9999, such as 2026-11-21T05:09:00")
            }
            let (date, time) = moment
            bytes.append(Int128(date.year), size: 2, endian: endian)
            bytes += [date.month, date.day, time.hours, time.minutes, time.seconds].map(UInt8.init)
        case (.timestamp, _):
            guard case .string(let text) = value, let seconds = UnixTime.seconds(of: text), 1..<1 << 32 ~= seconds
            else { throw invalid("a date and time in UTC, such as 2026-11-21T05:09:00Z") }
            append(seconds)
        case (.exponentialTime, .null): append(0xFF)
        case (.exponentialTime, _):
            guard case .number(let time) = value, let byte = ExponentialTime.encode(time) else {
                throw invalid("a number of seconds from 0 to \(ExponentialTime.longest)")
            }
            append(byte)
        case (.packedVersion, _):
            guard case .string(let text) = value, let number = PackedVersion.encode(text) else {
                throw invalid("a version such as 1.1.083")
            }
            append(number)
        }
    }

    private static func dateAndTime(_ text: String) -> (date: CalendarDate, time: TimeOfDay)? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CalendarDate(parts[0]), CalendarDate.years.contains(date.year),
            let time = TimeOfDay(parts[1])
        else { return nil }
        return (date, time)
    }
}
