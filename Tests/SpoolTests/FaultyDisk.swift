import Glibc
import PowerCut
import System
import TestSupport

/// A folder on a disk that loses power, is full, or fails (`PowerCut`).
struct FaultyDisk: ~Copyable {
    enum Fault: CaseIterable {
        case powerCut
        case full
        case broken

        fileprivate var value: power_cut_fault {
            switch self {
            case .powerCut: power_cut_off
            case .full: power_cut_full
            case .broken: power_cut_broken
            }
        }
    }

    private let folder: TemporaryFolder
    private var number = 0

    init() throws {
        folder = try TemporaryFolder()
        mkdir(path, 0o700)
        power_cut_watch(path)
    }

    deinit {
        power_cut_unwatch("\(folder.path)/\(number)")
        folder.remove()
    }

    /// The folder after the last power cut.
    var path: String { "\(folder.path)/\(number)" }
    private var next: String { "\(folder.path)/\(number + 1)" }

    /// Lets a fault begin after a number of operations of the disk.
    func plan(_ fault: Fault, after operations: Int, seed: UInt64) {
        mkdir(next, 0o700)
        power_cut_plan(path, fault.value, Int64(operations), next, seed)
    }

    /// Whether the planned fault has begun.
    var hasFault: Bool { power_cut_happened(path) != 0 }

    /// Ends the fault, or the plan.
    func clear() { power_cut_clear(path) }

    /// Cuts the power between two operations.
    func cut(seed: UInt64) {
        mkdir(next, 0o700)
        power_cut_now(path, next, seed)
    }

    /// Continues with the files after the power cut; the earlier files are closed.
    mutating func restart() {
        power_cut_unwatch(path)
        number += 1
        power_cut_watch(path)
    }

    /// The size of the files of a name with all suffixes, in bytes.
    func size(of name: String, _ suffixes: [String]) -> Int {
        suffixes.reduce(0) { size, suffix in
            var status = stat()
            return size + (stat("\(path)/\(name)\(suffix)", &status) == 0 ? Int(status.st_size) : 0)
        }
    }

    /// Changes random bytes of a file.
    func damage(_ name: String, _ random: inout SeededGenerator) {
        guard let file = fopen("\(path)/\(name)", "r+") else { return }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        guard size > 0 else { return }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            fseek(
                file, Int.random(in: 0..<(Bool.random(using: &random) ? size : min(size, 4096)), using: &random),
                SEEK_SET)
            fputc(Int32.random(in: 0...255, using: &random), file)
        }
    }
}
