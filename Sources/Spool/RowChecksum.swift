import System

/// A checksum of the columns of a row: the 32-bit FNV-1a hash of their bytes.
///
/// SQLite finds a damaged page, but not another digit in a payload. A change of one byte always changes the checksum.
struct RowChecksum {
    private var hash: UInt32 = 2_166_136_261

    /// The checksum as a number of four bytes with a sign, which SQLite stores in four bytes.
    var value: Int64 { Int64(Int32(bitPattern: hash)) }

    mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { add($0) }
    }

    /// Adds bytes one by one; in a debug build, a generic loop would take most of the time of all tests of this room.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        var (hash, index) = (hash, 0)
        while index < bytes.count {
            hash = (hash ^ UInt32(start.load(fromByteOffset: index, as: UInt8.self))) &* 16_777_619
            index += 1
        }
        self.hash = hash
    }

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    /// Adds a text; its length separates it from the next one.
    mutating func add(_ text: String) {
        add(Int64(text.utf8.count))
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }
}

extension RowChecksum {
    /// Creates the checksum of a row of the table `records`.
    init(of record: SpoolRecord, id: Int64, broker: Int64, boot: Int64) {
        for number in [id, broker, boot, record.moment.milliseconds, record.time.milliseconds, record.isBare ? 1 : 0] {
            add(number)
        }
        add(record.topic)
        add(record.payload)
        // Rows of version 3 had no stamp.
        if let stamp = record.stamp { add(stamp) }
    }

    /// Creates the checksum of a row of the table `boots`.
    init(ofBoot name: String, offset: Int64, isCertain: Bool) {
        add(name)
        add(offset)
        add(isCertain ? 1 : 0)
    }
}
