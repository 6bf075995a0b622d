/// What an adapter's scan tells of.
enum ScanStyle: Equatable {
    /// What is new, and how strongly each device is heard: it spares the bus and the processor.
    case changes
    /// Each packet, whether it says anything new or not.
    case eachPacket
}
