import Foundation

/// The resources that a process has used so far, as the kernel reports them.
package struct ProcessUsage: Sendable {
    private let folder: String

    init(of process: Int32) {
        folder = "/proc/\(process)"
    }

    /// The processor time of all threads, in nanoseconds.
    package func processorTime() throws -> Int {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
        return try (threads ?? []).reduce(0) { try $0 + processorTime(ofThread: $1) }
    }

    private func processorTime(ofThread thread: String) throws -> Int {
        // /proc/PID/schedstat: time on a processor, time in the queue, number of runs.
        let fields = try text("task/\(thread)/schedstat").split(separator: " ")
        guard let first = fields.first, let time = Int(first) else {
            throw BenchmarkError("this kernel has no \(folder)/schedstat")
        }
        return time
    }

    /// The resident memory and its anonymous part (not backed by a file), in MB.
    package func memory() throws -> (resident: Double, anonymous: Double) {
        (try megabytes("VmRSS"), try megabytes("RssAnon"))
    }

    /// The kernel's kB are KiB (proc_pid_status(5)).
    private func megabytes(_ key: String) throws -> Double {
        Double(try status(key)) * 1024 / 1_000_000
    }

    /// The number of times that the process was woken after a wait.
    package func wakeUps() throws -> Int {
        try status("voluntary_ctxt_switches")
    }

    private func status(_ key: String) throws -> Int {
        for line in try text("status").split(separator: "\n") where line.hasPrefix(key + ":") {
            if let number = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first.flatMap({
                Int($0)
            }) {
                return number
            }
        }
        throw BenchmarkError("\(folder)/status has no \(key)")
    }

    private func text(_ name: String) throws -> String {
        do {
            return try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        } catch {
            throw BenchmarkError("the measured process has ended: there is no \(folder)/\(name)")
        }
    }
}
