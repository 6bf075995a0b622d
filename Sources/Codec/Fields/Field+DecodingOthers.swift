import Bluetooth

/// The types that are not whole numbers or records.
extension Field {
    func decodeOther(_ bytes: Span<UInt8>, _ place: Range<Int>) throws(DecodingError) -> Value {
        let start = place.lowerBound
        switch type {
        case .boolean:
            let byte = usedBits == nil ? bytes[start] : bytes[start] & 1
            guard byte <= 1 else { throw .invalid(field: name, "0 or 1 is expected, not \(byte)") }
            return .boolean(byte == 1)
        case .utf8, .utf8z: return try decodeText(bytes.extracting(place))
        case .utf16: return try decodeUnits(bytes, place)
        case .bytes: return .bytes(place.map { bytes[$0] })
        case .date: return CalendarDate.decode(days: Int(bytes.unsigned(at: start, size: 3, endian: endian)))
        case .dateTime: return try decodeDateTime(bytes, at: start)
        case .timestamp: return Timestamp.decode(seconds: Int(bytes.unsigned(at: start, size: 4, endian: endian)))
        case .exponentialTime: return ExponentialTime.decode(bytes[start])
        case .address: return decodeAddress(bytes.unsigned(at: start, size: 6, endian: endian))
        case .uuid: return try decodeUUID(place.map { bytes[$0] })
        case .compressedURL: return try decodeURL(place.map { bytes[$0] })
        case .version:
            if place.isEmpty { throw .invalid(field: name, "a version has at least one byte") }
            return .string(place.reversed().map { String(bytes[$0]) }.joined(separator: "."))
        case .packedVersion:
            return .string(PackedVersion.decode(UInt32(bytes.unsigned(at: start, size: 3, endian: endian))))
        default: return try decodeFloat(bytes.unsigned(at: start, size: place.count, endian: endian))
        }
    }

    /// Takes trailing NULs away, with which devices fill up fixed lengths.
    private func decodeText(_ bytes: Span<UInt8>) throws(DecodingError) -> Value {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0 { end -= 1 }
        guard let text = try? UTF8Span(validating: bytes.extracting(0..<end)) else {
            throw .invalid(field: name, "the text is not UTF-8")
        }
        return .string(String(copying: text))
    }

    /// The same for texts of two bytes a unit.
    private func decodeUnits(_ bytes: Span<UInt8>, _ place: Range<Int>) throws(DecodingError) -> Value {
        var units = stride(from: place.lowerBound, to: place.upperBound - 1, by: 2).map {
            UInt16(bytes.unsigned(at: $0, size: 2, endian: endian))
        }
        while units.last == 0 { units.removeLast() }
        guard place.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw .invalid(field: name, "the text is not UTF-16")
        }
        return .string(text)
    }

    private func decodeFloat(_ raw: UInt64) throws(DecodingError) -> Value {
        let number: Decimal? =
            switch type {
            case .float16: Decimal(Float(Float16(bitPattern: UInt16(raw))))
            case .float32: Decimal(Float(bitPattern: UInt32(raw)))
            case .float64: Decimal(Double(bitPattern: raw))
            case .medfloat16: MedicalFloat.sfloat.decode(UInt32(raw))
            default: MedicalFloat.float.decode(UInt32(raw))
            }
        return try number.map { number throws(DecodingError) in try meaning.value(of: number, field: name) } ?? .null
    }

    private func decodeDateTime(_ bytes: Span<UInt8>, at start: Int) throws(DecodingError) -> Value {
        let date = CalendarDate(
            year: Int(bytes.unsigned(at: start, size: 2, endian: endian)), month: Int(bytes[start + 2]),
            day: Int(bytes[start + 3]))
        let time = TimeOfDay(
            hours: Int(bytes[start + 4]), minutes: Int(bytes[start + 5]), seconds: Int(bytes[start + 6]))
        guard time.isValid else { throw .invalid(field: name, "there is no time \(time)") }
        guard date.year == 0 || CalendarDate.years.contains(date.year) else {
            throw .invalid(field: name, "a year from 1582 to 9999, or 0, is expected, not \(date.year)")
        }
        guard date.isValid || date.isUnknown else { throw .invalid(field: name, "there is no day \(date)") }
        if date.isUnknown { return .null }
        return .string("\(date)T\(time)")
    }

    private func decodeAddress(_ number: UInt64) -> Value {
        meaning.unknown.contains(Int128(number)) ? .null : .string(Address(number).description)
    }

    private func decodeUUID(_ bytes: [UInt8]) throws(DecodingError) -> Value {
        let ordered = endian == .little ? bytes : bytes.reversed()
        guard let uuid = UUID(littleEndian: ordered) else {
            throw .invalid(field: name, "a UUID has 2, 4 or 16 bytes, not \(bytes.count)")
        }
        return .string(uuid.description)
    }

    private func decodeURL(_ bytes: [UInt8]) throws(DecodingError) -> Value {
        guard let url = CompressedURL.decode(bytes) else { throw .invalid(field: name, "these bytes are no URL") }
        return .string(url)
    }
}
