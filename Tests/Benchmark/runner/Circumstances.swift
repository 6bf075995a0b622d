import Foundation

/// The load of the machine: figures of a loaded machine are less reliable.
struct Circumstances {
    private let before = Self.load

    private static var load: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : .nan
    }

    var text: String {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let loads = [before, Self.load].map { String(format: "%.1f", $0) }
        return "\(processors) processors; load average \(loads[0]) before and \(loads[1]) after"
    }
}
