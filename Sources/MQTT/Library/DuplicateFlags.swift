/// The flags DUP of the messages that libmosquitto will report, in order (MQTT 5, 3.3.1.1).
///
/// The callback of libmosquitto does not have the flag. Messages with quality of service 2 are left out: libmosquitto
/// itself removes their repetitions, and reports them in another order.
struct DuplicateFlags {
    private var flags = FIFO<Bool>()

    /// Notes a packet that libmosquitto will read.
    mutating func add(_ header: FixedHeader) {
        guard header.isPublish, header.qualityOfService < 2 else { return }
        _ = flags.append(header.isDuplicate)
    }

    /// Returns the flag of the next message with quality of service 0 or 1.
    mutating func take() -> Bool { flags.popFirst() ?? false }
}
