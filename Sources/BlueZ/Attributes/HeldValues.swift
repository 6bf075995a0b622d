/// What is signalled of a characteristic while it is read: notifications, and what was read.
struct HeldValues {
    /// How many reads are under way or wait for their turn.
    var readers = 0
    /// In the order in which they came.
    var values: [[UInt8]] = []
}
