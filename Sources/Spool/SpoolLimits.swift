/// The limits of the messages on the disk.
package struct SpoolLimits: Hashable, Sendable {
    /// The maximum size of all files together, in bytes; the oldest records of the devices
    /// with the most bytes make room for new ones.
    package var size: Int
    /// The maximum age of a record; older ones are removed.
    package var age: Duration
    /// The space that stays free on the file system, in bytes; below it, the files do not grow.
    package var freeSpace: Int

    package init(size: Int = 128_000_000, age: Duration = .seconds(7 * 86_400), freeSpace: Int = 256_000_000) {
        self.size = size
        self.age = age
        self.freeSpace = freeSpace
    }

    /// The size in bytes of the records of one transaction.
    var transactionSize: Int { min(262_144, size / 32) }

    /// The maximum size of each of the two files of the journal, in bytes.
    var journalSize: Int { min(JournalContents.longestFile, size / 16) }

    /// The size in bytes that SQLite's log of changes and its index may take in addition to the records.
    var logSize: Int { min(1_000_000, size / 3) }
}
