import Glibc

/// The memory and processor time that this process uses.
package struct ProcessUsage {
    /// Resident memory, in bytes.
    package var residentBytes: Int
    /// Processor time since the start of the process, in seconds with three decimal places.
    package var processorSeconds: Double

    /// The present usage.
    package static var current: ProcessUsage {
        var usage = rusage()
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        let total = ((seconds + microseconds / 1e6) * 1000).rounded() / 1000
        return ProcessUsage(residentBytes: residentPages * Int(getpagesize()), processorSeconds: total)
    }

    /// The second number of /proc/self/statm (proc(5)).
    private static var residentPages: Int {
        let numbers = TextFile.read("/proc/self/statm")?.split(separator: " ") ?? []
        return numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0
    }
}
