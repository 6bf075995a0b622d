import Foundation

/// The radio of a simulated world: how strongly each gateway receives each device.
final class WorldRadio {
    private let chance: Chance
    private let deviceCount: Int
    /// The mean signal strengths in dBm, by gateway and device.
    private let means: [[Double]]
    /// Slow deviations from the means in dB.
    private var drifts: [[Double]]
    private var deaf: [Bool]

    init(gateways: Int, _ options: WorldOptions, _ chance: Chance) {
        self.chance = chance
        deviceCount = options.devices
        let side = 25 * Double(gateways).squareRoot()
        let rows = Int(Double(gateways).squareRoot().rounded(.up))
        let places = (0..<gateways).map { gateway -> (Double, Double) in
            guard gateways >= 9 else { return (chance.uniform(0, side), chance.uniform(0, side)) }
            // Many gateways are installed in a grid.
            let step = side / Double(rows)
            return (
                (Double(gateway % rows) + 0.5) * step + chance.normal(2),
                (Double(gateway / rows) + 0.5) * step + chance.normal(2)
            )
        }
        let devices = (0..<options.devices).map { _ in (chance.uniform(0, side), chance.uniform(0, side)) }
        means = places.map { place in
            devices.map { device in
                let distance = hypot(place.0 - device.0, place.1 - device.1)
                return -50 - 27 * log10(max(distance, 1)) + chance.normal(5)
            }
        }
        drifts = means.map { $0.map { _ in chance.normal(3) } }
        deaf = Array(repeating: false, count: gateways)
    }

    func mean(_ device: Int, at gateway: Int) -> Double { means[gateway][device] }

    func best(_ device: Int) -> Double {
        means.reduce(-200) { max($0, $1[device]) }
    }

    /// Whether packets of a device reach a gateway.
    func receives(_ device: Int, at gateway: Int) -> Bool {
        means[gateway][device] > -92 && !deaf[gateway]
    }

    func setDeaf(_ gateway: Int, _ isDeaf: Bool) {
        deaf[gateway] = isDeaf
    }

    /// Returns the signal strengths that a gateway measures now, by device.
    func sample(_ gateway: Int) -> [(device: Int, level: Double)] {
        guard !deaf[gateway] else { return [] }
        return (0..<deviceCount).compactMap { device in
            let drift = 0.9 * drifts[gateway][device] + chance.normal(3 * 0.4358898943540674)
            drifts[gateway][device] = drift
            let level = means[gateway][device] + drift + chance.normal(4)
            return level > -95 ? (device, level) : nil
        }
    }
}
