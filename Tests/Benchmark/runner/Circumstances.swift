import Foundation

/// What else the machine had to do meanwhile: figures of a busy one say less.
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
