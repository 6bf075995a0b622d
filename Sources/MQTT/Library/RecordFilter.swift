/// Limits the packets that a broker sends by TLS, before libmosquitto reads them.
///
/// libmosquitto reads whole records, which cannot be changed. A long PUBLISH at the beginning of a record is dropped; the
/// connection ends if another packet precedes it in its record. Brokers usually send each packet in a record of its own.
struct RecordFilter {
    private var header = FixedHeader()
    /// The number of bytes of the current packet that will be passed.
    private var passing = 0
    /// The number of bytes of the current packet that will be dropped.
    private var dropping = 0
    /// The first bytes of the message that is being dropped: the topic and the packet identifier; nil if not needed.
    private var beginning: [UInt8]?
    /// The length in bytes of the last message that was dropped; nil: none since the last `takeCutLength()`.
    private var cutLength: Int?
    private var duplicates = DuplicateFlags()

    /// Decides about the rest of a record.
    ///
    /// - Parameters:
    ///   - record: The bytes of the record that were not dropped.
    ///   - acknowledge: Called with the PUBACK for a dropped message.
    /// - Returns: The number of bytes to drop at the beginning; 0: libmosquitto may read all of them.
    /// - Throws: `PacketError` for a packet that ends the connection.
    mutating func countToDrop(
        of record: ArraySlice<UInt8>, acknowledge: ([UInt8]) -> Void
    ) throws(PacketError) -> Int {
        if dropping > 0 { return drop(record, acknowledge) }
        var index = 0
        while index < record.count {
            if passing > 0 {
                let count = min(record.count - index, passing)
                passing -= count
                index += count
                continue
            }
            let isComplete = try header.read(record[record.startIndex + index])
            index += 1
            guard isComplete else { continue }
            defer { header = FixedHeader() }
            guard header.isLongMessage else {
                passing = header.length
                duplicates.add(header)
                continue
            }
            guard header.size == index, header.qualityOfService < 2 else {
                throw PacketError("the broker has sent a message of \(header.length) bytes together with other packets")
            }
            (dropping, cutLength) = (header.length, header.length)
            beginning = header.qualityOfService == 1 ? [] : nil
            return index
        }
        return 0
    }

    private mutating func drop(_ record: ArraySlice<UInt8>, _ acknowledge: ([UInt8]) -> Void) -> Int {
        let count = min(record.count, dropping)
        dropping -= count
        guard var bytes = beginning else { return count }
        bytes.append(contentsOf: record.prefix(count))
        beginning = bytes
        guard bytes.count >= 2 else { return count }
        let identifier = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
        guard bytes.count >= identifier + 2 else { return count }
        beginning = nil
        acknowledge([0x40, 2, bytes[identifier], bytes[identifier + 1]])
        return count
    }

    /// Returns the length in bytes of the last message that was dropped, once.
    mutating func takeCutLength() -> Int? {
        defer { cutLength = nil }
        return cutLength
    }

    /// Returns the flag DUP of the next message that libmosquitto reports with quality of service 0 or 1.
    mutating func takeDuplicateFlag() -> Bool { duplicates.take() }
}
