internal import EventLoop
internal import Glibc

/// What the process takes of the machine.
struct ResourceUsage {
    /// Memory in use, in bytes.
    var residentBytes: Int
    /// Processor time since the start, in seconds.
    var processorSeconds: Double

    /// As it is now.
    static var current: ResourceUsage {
        var usage = rusage()
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        let total = ((seconds + microseconds / 1e6) * 1000).rounded() / 1000
        return ResourceUsage(residentBytes: residentPages * Int(getpagesize()), processorSeconds: total)
    }

    /// The second number of /proc/self/statm (proc(5)).
    private static var residentPages: Int {
        let numbers = TextFile.read("/proc/self/statm")?.split(separator: " ") ?? []
        return numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0
    }
}
