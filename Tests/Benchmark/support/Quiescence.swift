import Foundation

/// Waits until several processes are idle at the same time.
///
/// A process is idle when all its threads sleep or are stopped. If no thread has run between two checks, no message is on its way from
/// one process to another. The load of the machine changes only the duration of the wait.
struct Quiescence {
    private let processes: [Int32]

    init(of processes: [Int32]) {
        self.processes = processes
    }

    /// The state of a thread in `/proc`.
    private struct ThreadState: Equatable {
        let thread: String
        /// Whether the thread sleeps, or is stopped by a signal.
        let isIdle: Bool
        /// How often the thread was given a processor.
        let runs: Substring
    }

    /// Waits until all processes are idle.
    ///
    /// - Parameter time: The minimum time for which they are idle, in microseconds.
    /// - Throws: `BenchmarkError` after 60 s, or when a process has ended.
    func wait(lasting time: UInt32 = 0) throws {
        let deadline = DispatchTime.now() + .seconds(60)
        while DispatchTime.now() < deadline {
            let before = try states()
            if before.allSatisfy(\.isIdle) {
                if time > 0 { usleep(time) }
                if try states() == before { return }
            }
            usleep(200)
        }
        throw BenchmarkError("the processes \(processes) were not idle within 60 s")
    }

    private func states() throws -> [ThreadState] {
        try processes.flatMap { process in
            let folder = "/proc/\(process)/task"
            let threads = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            return try threads.map { thread in
                // stat: "PID (NAME) STATE …". schedstat: time on a processor, time in the queue, number of runs.
                let stat = try text("\(folder)/\(thread)/stat")
                let state = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].dropFirst(2).first
                let runs = try text("\(folder)/\(thread)/schedstat").split(separator: " ").last ?? ""
                return ThreadState(thread: thread, isIdle: state == "S" || state == "T", runs: runs)
            }
        }
    }

    private func text(_ path: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw BenchmarkError("a measured process has ended: cannot read \(path)")
        }
    }
}
