import EventLoop
import Glibc
import System

/// Copies of the messages that are not in the `SpoolFile` yet: an end of the process does not lose them.
///
/// The copies are written to one of two files without a synchronization: they reach the kernel at once. The files are in
/// memory if this outlives the program (`JournalFolder`). When all messages of a file are in the `SpoolFile`, the file
/// becomes empty again. After a crash, `SpoolFile.recover` reads both files.
///
/// The actor has a thread of its own, because the `SpoolFile` can wait for a worn memory card for seconds.
package actor SpoolJournal {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    private let executor = BackgroundExecutor()
    private let folder: String
    /// The folder of all journals in memory; nil: the files are in `folder`.
    private let shared: String?
    /// The folder of the files; nil until the first copy.
    private var place: String?
    private var limits: SpoolLimits
    private var files = [File(), File()]
    /// The index of the file to which copies are appended.
    private var current = 0

    /// One of the two files.
    private struct File {
        /// The descriptor of the file; nil while it is closed.
        var descriptor: Int32?
        var size = 0
        /// The clock of the last records.
        var clock: ClockReading?
    }

    /// - Parameters:
    ///   - folder: the folder of the `SpoolFile`; the first copy creates it.
    ///   - limits: the limits of size and free space.
    package init(in folder: String, limits: SpoolLimits) {
        self.init(in: folder, limits: limits, shared: JournalFolder.shared)
    }

    /// - Parameters:
    ///   - folder: the folder of the `SpoolFile`.
    ///   - limits: the limits of size and free space.
    ///   - shared: the folder of all journals in memory; nil: the files are in `folder`.
    init(in folder: String, limits: SpoolLimits, shared: String?) {
        self.folder = folder
        self.shared = shared
        self.limits = limits
        unownedExecutor = executor.asUnownedSerialExecutor()
    }

    /// Whether the journal of a folder has contents.
    package static func exists(in folder: String) -> Bool { JournalContents.exist(in: folder) }

    /// Returns why files of the journal of a folder are not used, such as links; their messages are lost.
    package static func refusals(in folder: String) -> [String] { JournalContents.refusals(in: folder) }

    /// Removes the contents of the journal of a folder, which no bridge uses.
    package static func remove(in folder: String) { JournalContents.remove(in: folder) }

    package func use(_ limits: SpoolLimits) {
        self.limits = limits
    }

    /// Appends copies.
    ///
    /// - Throws: `SpoolError` if not all of them were written; `full`: there is no room.
    package func append(_ records: [SpoolRecord], _ clock: ClockReading) throws(SpoolError) {
        try open()
        let isKnown = files[current].size > 0 && files[current].clock?.isEqual(to: clock) == true
        var bytes = isKnown ? [] : JournalFrame.clock(clock).bytes ?? []
        for record in records { bytes += JournalFrame.record(record).bytes ?? [] }
        guard files[current].size + bytes.count <= limits.journalSize,
            FileSystem.freeBytes(of: place ?? folder) ?? .max >= freeSpace + bytes.count
        else { throw SpoolError(.full, "\(path): there is no room") }
        try write(bytes)
        files[current].clock = clock
    }

    private var path: String { JournalContents.paths(in: place ?? folder)[current] }
    /// The space that stays free, in bytes: memory has little of it.
    private var freeSpace: Int { place == nil || place == folder ? limits.freeSpace : 0 }

    private func open() throws(SpoolError) {
        guard files[current].descriptor == nil else { return }
        // The state folder exists. If the folder cannot be created, opening the file fails.
        mkdir(folder, 0o700)
        if place == nil { place = JournalFolder.create(for: folder, in: shared) ?? folder }
        do throws(SystemError) {
            let descriptor = try PrivateFile.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, to: "write")
            // The file may be that of a backup, which every user can read.
            fchmod(descriptor, 0o600)
            files[current].descriptor = descriptor
        } catch {
            throw SpoolError(error.code == ENOSPC ? .full : .other, error.description)
        }
        files[current].size = 0
    }

    private func write(_ bytes: [UInt8]) throws(SpoolError) {
        guard let descriptor = files[current].descriptor else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || count < 0 && errno == EINTR else {
                let error = SystemError("cannot write \(path)", errno)
                // A part of a frame would hide the beginning of the next one.
                ftruncate(descriptor, off_t(files[current].size))
                throw SpoolError(error.code == ENOSPC ? .full : .other, error.description)
            }
            rest = rest.dropFirst(max(0, count))
        }
        files[current].size += bytes.count
    }

    /// Appends later copies to the other file, if it is empty.
    package func seal() {
        if files[1 - current].size == 0 { current = 1 - current }
    }

    /// Empties the file that was sealed: all its messages are in the `SpoolFile`.
    package func release() {
        empty(1 - current)
    }

    /// Empties and closes both files: no message needs its copy any more.
    package func clear() {
        for index in files.indices {
            empty(index)
            if let descriptor = files[index].descriptor { close(descriptor) }
            files[index] = File()
        }
        if let place, place != folder { JournalFolder.remove(place) }
        place = nil
    }

    private func empty(_ index: Int) {
        guard let descriptor = files[index].descriptor, files[index].size > 0 else { return }
        if ftruncate(descriptor, 0) == 0 { files[index].size = 0 }
    }
}

extension ClockReading {
    /// Returns whether the clock has not been set since another reading.
    fileprivate func isEqual(to other: ClockReading) -> Bool {
        boot == other.boot && (offset - other.offset).magnitude < 1000 && isSynchronized == other.isSynchronized
    }
}
