/// Limits the packets that a broker sends, before libmosquitto reads them.
///
/// libmosquitto allocates the length that a fixed header announces, up to 268 MB (2.0.11 to 2.0.21). A long PUBLISH is
/// cut after `FixedHeader.longestMessage` bytes: libmosquitto acknowledges it, and the broker does not send it again.
struct PacketFilter {
    private var header = FixedHeader()
    /// The number of bytes of the current packet that will be passed.
    private var passing = 0
    /// The number of bytes of the current packet that will be dropped after the passed ones.
    private var dropping = 0
    /// The length in bytes of the last message that was cut; nil: none since the last `takeCutLength()`.
    private var cutLength: Int?
    private var duplicates = DuplicateFlags()

    /// Whether the next byte begins a packet.
    var isBetweenPackets: Bool { passing == 0 && dropping == 0 && header.size == 0 }

    /// Appends the bytes that libmosquitto may read.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the broker.
    ///   - output: Receives the bytes for libmosquitto.
    /// - Throws: `PacketError` for a packet that ends the connection.
    mutating func pass(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) throws(PacketError) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if passing > 0 {
                let end = min(bytes.endIndex, index + passing)
                output.append(contentsOf: bytes[index..<end])
                passing -= end - index
                index = end
            } else if dropping > 0 {
                let count = min(bytes.endIndex - index, dropping)
                dropping -= count
                index += count
            } else {
                if try header.read(bytes[index]) { begin(&output) }
                index += 1
            }
        }
    }

    private mutating func begin(_ output: inout [UInt8]) {
        passing = min(header.length, FixedHeader.longestMessage)
        dropping = header.length - passing
        if dropping > 0 { cutLength = header.length }
        header.append(length: passing, to: &output)
        duplicates.add(header)
        header = FixedHeader()
    }

    /// Returns the length in bytes of the last message that was cut, once.
    mutating func takeCutLength() -> Int? {
        defer { cutLength = nil }
        return cutLength
    }

    /// Returns the flag DUP of the next message that libmosquitto reports with quality of service 0 or 1.
    mutating func takeDuplicateFlag() -> Bool { duplicates.take() }
}
