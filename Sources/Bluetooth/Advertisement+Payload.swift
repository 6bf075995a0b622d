extension Advertisement {
    /// The types of the AD structures that `Advertisement` reads (Assigned Numbers, 2.3).
    private enum ADType {
        static let incomplete16: UInt8 = 0x02
        static let complete16: UInt8 = 0x03
        static let incomplete32: UInt8 = 0x04
        static let complete32: UInt8 = 0x05
        static let incomplete128: UInt8 = 0x06
        static let complete128: UInt8 = 0x07
        static let shortenedName: UInt8 = 0x08
        static let completeName: UInt8 = 0x09
        static let txPowerLevel: UInt8 = 0x0A
        static let serviceData16: UInt8 = 0x16
        static let serviceData32: UInt8 = 0x20
        static let serviceData128: UInt8 = 0x21
        static let manufacturerData: UInt8 = 0xFF
    }

    /// Creates an advertisement from a whole payload: a sequence of AD structures, each with length, type and data.
    ///
    /// A length of 0 ends the sequence. Structures of other types are ignored.
    ///
    /// Source: Core Specification, Vol 3, Part C, 11.
    ///
    /// - Throws: `AdvertisementPayloadError` for the first structure that reaches beyond the end of the payload, or
    ///   whose data has a length that its type does not allow.
    package init(payload: [UInt8]) throws(AdvertisementPayloadError) {
        self.init()
        for structure in try Self.structures(of: payload) {
            let type = payload[structure.lowerBound + 1]
            guard take(type, payload[structure.dropFirst(2)]) else {
                throw AdvertisementPayloadError(position: structure.lowerBound, reason: .wrongLength(type: type))
            }
        }
    }

    /// Returns the index ranges of the AD structures of a whole payload; each range includes the length and the type.
    ///
    /// - Throws: `AdvertisementPayloadError` for the first structure that reaches beyond the end of the payload.
    package static func structures(of payload: [UInt8]) throws(AdvertisementPayloadError) -> [Range<Int>] {
        var structures: [Range<Int>] = []
        var start = 0
        while start < payload.count, payload[start] > 0 {
            let end = start + 1 + Int(payload[start])
            guard end <= payload.count else {
                throw AdvertisementPayloadError(
                    position: start,
                    reason: .truncated(announced: Int(payload[start]), found: payload.count - start - 1))
            }
            structures.append(start..<end)
            start = end
        }
        return structures
    }

    /// Adds the data of one AD structure; returns false if the data has the wrong length.
    private mutating func take(_ type: UInt8, _ data: ArraySlice<UInt8>) -> Bool {
        switch type {
        case ADType.incomplete16, ADType.complete16: return takeUUIDs(data, size: 2)
        case ADType.incomplete32, ADType.complete32: return takeUUIDs(data, size: 4)
        case ADType.incomplete128, ADType.complete128: return takeUUIDs(data, size: 16)
        case ADType.shortenedName where localName != nil: return true
        case ADType.shortenedName, ADType.completeName:
            localName = String(decoding: data, as: UTF8.self)
            return true
        case ADType.txPowerLevel:
            guard let level = data.first, data.count == 1 else { return false }
            txPowerLevel = Int8(bitPattern: level)
            return true
        case ADType.serviceData16: return takeServiceData(data, size: 2)
        case ADType.serviceData32: return takeServiceData(data, size: 4)
        case ADType.serviceData128: return takeServiceData(data, size: 16)
        case ADType.manufacturerData:
            guard data.count >= 2 else { return false }
            let company = UInt16(data[data.startIndex]) | UInt16(data[data.startIndex + 1]) << 8
            manufacturerData[company] = Array(data.dropFirst(2))
            lastCompany = company
            return true
        default: return true
        }
    }

    private mutating func takeUUIDs(_ data: ArraySlice<UInt8>, size: Int) -> Bool {
        guard data.count.isMultiple(of: size) else { return false }
        for start in stride(from: data.startIndex, to: data.endIndex, by: size) {
            guard let uuid = UUID(littleEndian: data[start..<start + size]) else { return false }
            serviceUUIDs.append(uuid)
        }
        return true
    }

    private mutating func takeServiceData(_ data: ArraySlice<UInt8>, size: Int) -> Bool {
        guard data.count >= size, let uuid = UUID(littleEndian: data.prefix(size)) else { return false }
        serviceData[uuid] = Array(data.dropFirst(size))
        return true
    }
}
