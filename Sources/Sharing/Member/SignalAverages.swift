import Contract

/// How well a gateway receives its devices, and which changes it has not reported yet.
struct SignalAverages: Sendable {
    private struct Average {
        /// In dBm; nil: the device is not received.
        var level: Double?
        /// The number of looks without an advertisement.
        var missedLooks = 0
        /// The last reported signal strength in dBm; nil: not received.
        var reported: Double?
        var failedConnects = 0

        /// The signal strength minus a deduction for failed attempts to connect.
        var score: Double? {
            let deduction = FleetConstants.failedConnect * Double(min(failedConnects, FleetConstants.failedConnects))
            return level.map { $0 - deduction }
        }
    }

    /// The shared devices.
    private var devices: DeviceNumbers
    /// The averages by number of the device.
    private var averages: [Average]

    /// - Parameter devices: the shared devices.
    init(_ devices: DeviceNumbers) {
        self.devices = devices
        averages = Array(repeating: Average(), count: devices.count)
    }

    /// Uses another list of shared devices; the averages of the others are forgotten.
    mutating func use(_ newDevices: DeviceNumbers) {
        averages = newDevices.names.map { device in devices[device].map { averages[$0] } ?? Average() }
        devices = newDevices
    }

    /// Updates the averages, every 5 s.
    ///
    /// - Parameters:
    ///   - levels: the newest signal strengths in dBm, by device.
    ///   - links: devices with a connection to this gateway: they send no advertisements, so they keep their average.
    mutating func measure(_ levels: [String: Int], links: Set<String>) {
        for (index, device) in devices.names.enumerated() where !links.contains(device) {
            Self.update(&averages[index], levels[device].map { Double($0) })
        }
    }

    private static func update(_ average: inout Average, _ level: Double?) {
        if let level {
            average.level = average.level.map { $0 + FleetConstants.weight * (level - $0) } ?? level
            average.missedLooks = 0
            return
        }
        guard let old = average.level else { return }
        average.missedLooks += 1
        average.level =
            average.missedLooks > FleetConstants.missedLooks
            ? nil : old + FleetConstants.weight * (FleetConstants.floor - old)
    }

    mutating func connectFailed(_ device: String) {
        if let number = devices[device] { averages[number].failedConnects += 1 }
    }

    mutating func connected(_ device: String) {
        if let number = devices[device] { averages[number].failedConnects = 0 }
    }

    /// Returns the signal strengths that have changed by 5 dB since they were reported, and marks them as reported.
    mutating func takeChanges() -> [String: FleetReport.Signal] {
        var changes: [String: FleetReport.Signal] = [:]
        for index in averages.indices {
            let score = averages[index].score
            switch (score, averages[index].reported) {
            case (let score?, let reported?) where (score - reported).magnitude < FleetConstants.change: continue
            case (nil, nil): continue
            default: break
            }
            averages[index].reported = score
            changes[devices.names[index]] = Self.signal(score)
        }
        return changes
    }

    /// Returns the signal strengths of all devices, and marks them as reported.
    mutating func takeAll() -> [String: FleetReport.Signal] {
        var all: [String: FleetReport.Signal] = [:]
        all.reserveCapacity(devices.count)
        for index in averages.indices {
            averages[index].reported = averages[index].score
            all[devices.names[index]] = Self.signal(averages[index].score)
        }
        return all
    }

    private static func signal(_ level: Double?) -> FleetReport.Signal {
        level.map { .received(Int(max(-200, min($0, 50)).rounded())) } ?? .none
    }
}
