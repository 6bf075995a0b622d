import Bluetooth

extension AdvertisementCipher {
    /// Returns whether the bytes are encrypted; true if the cipher has no flag.
    func applies(to bytes: [UInt8]) -> Bool {
        flag.map { bytes.indices.contains($0.byte) && bytes[$0.byte] & $0.mask != 0 } ?? true
    }

    /// Returns the header, which is not encrypted, followed by the decrypted bytes.
    ///
    /// - Throws: `AdvertisementError` if the key is missing or wrong, if the address is missing, if the bytes are too
    ///   short, or if the checksum is wrong.
    func decrypt(_ bytes: [UInt8], key: [UInt8]?, address: Address?) throws(AdvertisementError) -> [UInt8] {
        guard let header = header.length(in: bytes), bytes.count >= header + trailer else {
            throw .undecodable(
                .tooShort(field: "encrypted data", expected: self.header.length + trailer, found: bytes.count))
        }
        if mode == .chain { return Self.unchained(bytes) }
        if key == nil, mode.needsKey { throw .noKey }
        let nonce = try nonce(bytes, address: address)
        let encrypted = Array(bytes[header..<bytes.count - trailer])
        try check(encrypted, against: bytes.suffix(trailer))
        if mode == .reversedBlock { return bytes[..<header] + Self.openReversedBlock(encrypted, key: nonce) }
        guard let key else { throw .noKey }
        let aes = AES(key: try complete(key))
        if let keyCheck, bytes.indices.contains(keyCheck), bytes[keyCheck] != key[0] { throw .wrongKey }
        let plain: [UInt8]
        switch mode {
        case .ccm(let additionalData):
            let tag = Array(bytes.suffix(4))
            guard let opened = aes.open(encrypted, nonce: nonce, tag: tag, additionalData: additionalData) else {
                throw .wrongKey
            }
            plain = opened
        case .signature(let company):
            let start = [UInt8(truncatingIfNeeded: bytes.count + 3), 0xFF, UInt8(company & 0xFF), UInt8(company >> 8)]
            let tag = Array(bytes.suffix(4))
            guard aes.open([], nonce: nonce, tag: tag, additionalData: start + bytes.dropLast(4)) != nil else {
                throw .wrongKey
            }
            plain = encrypted
        case .ccmWithoutTag:
            // The counter blocks of CCM: the flags byte with the size of the counter, the nonce, and the counter, which
            // starts at 1.
            plain = aes.combine(encrypted) { index in
                [1] + nonce + [UInt8((index + 1) >> 8), UInt8((index + 1) & 0xFF)]
            }
        case .littleEndianCounter:
            let start = nonce.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            plain = aes.combine(encrypted) { index in
                (0..<16).map { UInt8(truncatingIfNeeded: (start &+ UInt128(index)) >> (8 * $0)) }
            }
        case .reversedBlock, .chain: preconditionFailure("a mode without a key is decrypted before the others")
        }
        return bytes[..<header] + plain
    }

    private func check(_ encrypted: [UInt8], against trailer: ArraySlice<UInt8>) throws(AdvertisementError) {
        guard let expected = checksum?(encrypted) else { return }
        let found = trailer.reduce(0) { $0 << 8 | UInt64($1) }
        guard found == expected else {
            throw .undecodable(.invalid(field: "encrypted data", "the checksum is \(expected), not \(found)"))
        }
    }

    private static func openReversedBlock(_ block: [UInt8], key: [UInt8]) -> [UInt8] {
        let filled = key + [UInt8](repeating: 0, count: max(0, 16 - key.count))
        guard block.count == 16, filled.count == 16 else { return [] }
        return AES(key: filled.reversed()).decrypt(block: block.reversed()).reversed()
    }

    private static func unchained(_ bytes: [UInt8]) -> [UInt8] {
        bytes.indices.map { index in
            guard index >= 2 else { return bytes[index] }
            return bytes[index] ^ bytes[index - 1] ^ (bytes[index - 2] &+ UInt8(truncatingIfNeeded: index))
        }
    }

    /// Returns the packet counter, which identifies a replayed packet; nil if the format has no counter.
    func replayNumber(in bytes: [UInt8]) -> UInt64? {
        guard !replayCounter.isEmpty else { return nil }
        let counter = replayCounter.flatMap { $0.content(of: bytes) ?? [] }
        return counter.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func nonce(_ bytes: [UInt8], address: Address?) throws(AdvertisementError) -> [UInt8] {
        var nonce: [UInt8] = []
        for piece in self.nonce {
            switch piece {
            case .constant(let constant): nonce += constant
            case .length(let more): nonce.append(UInt8(truncatingIfNeeded: bytes.count + more))
            case .bytes(let slice):
                guard let content = slice.content(of: bytes) else {
                    throw .undecodable(.tooShort(field: "nonce", expected: slice.end, found: bytes.count))
                }
                nonce += content
            case .address: nonce += try self.address(bytes, or: address).bytes
            case .reversedAddress(let count):
                nonce += try self.address(bytes, or: address).bytes.reversed().prefix(count)
            }
        }
        return nonce
    }

    /// Returns the address in the header; the address of the sender if the header has no address.
    private func address(_ bytes: [UInt8], or sender: Address?) throws(AdvertisementError) -> Address {
        guard let address = header.address(in: bytes) ?? sender else { throw .noAddress }
        return address
    }

    private func complete(_ key: [UInt8]) throws(AdvertisementError) -> [UInt8] {
        if key.count == 16 { return key }
        guard key.count + keyFiller.count == 16, !keyFiller.isEmpty else { throw .keyLength(key.count) }
        return key[..<6] + keyFiller + key[6...]
    }
}

extension AdvertisementCipher.Slice {
    /// Returns the bytes at the positions of the slice; nil if there are too few bytes.
    func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let first = start < 0 ? bytes.count + start : start
        let last = end <= 0 ? bytes.count + end : end
        return first >= 0 && first <= last && last <= bytes.count ? bytes[first..<last] : nil
    }
}

extension AdvertisementCipher.Header {
    /// Returns the length of the header in bytes; nil if the bytes are too short.
    func length(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= max(length, 2) || options.isEmpty else { return nil }
        var total = length
        for option in options where isSet(option.bit, in: bytes) {
            guard total < bytes.count else { return nil }
            if let bit = option.bitForTwoMore, bytes[total] & (1 << bit) != 0 { total += 2 }
            total += option.length
        }
        return total <= bytes.count ? total : nil
    }

    /// Returns the device's address in the option of six bytes, least significant byte first; nil if it is absent.
    func address(in bytes: [UInt8]) -> Address? {
        guard let option = options.first(where: { $0.length == 6 }), bytes.count >= length + 6,
            isSet(option.bit, in: bytes)
        else { return nil }
        return Address(bytes[length..<length + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func isSet(_ bit: Int, in bytes: [UInt8]) -> Bool {
        (UInt16(bytes[0]) | UInt16(bytes[1]) << 8) & (1 << bit) != 0
    }
}
