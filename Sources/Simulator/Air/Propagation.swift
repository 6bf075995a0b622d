import Glibc

/// The signal strength that a host receives from a peripheral: the loss by distance, and a shadow.
///
///     strength = strength at 1 m - 27 · log10(distance) + shadow
///
/// The strengths are in dBm and the distance in metres, at least 1 m. The shadow stands for walls and furniture: it is
/// about normally distributed with a standard deviation of 5 dB, and constant for each pair of a peripheral and a host.
/// This is the log-distance path loss model, with the exponent 2.7 of a house.
struct Propagation {
    /// The weakest strength that an adapter receives, in dBm.
    static let sensitivity = -95
    private static let lossPerDecade = 27.0
    private static let deviation = 5.0

    /// The seed of the shadows: the same seed gives the same shadows.
    let seed: UInt64

    /// Returns the received strength.
    ///
    /// - Parameters:
    ///   - reference: The strength at a distance of 1 m, in dBm.
    ///   - peripheral: The name of the peripheral, and its position.
    ///   - host: The name of the host, and its position.
    /// - Returns: The strength in dBm; nil if it is too weak to be received.
    func strength(
        at reference: Int16, of peripheral: (name: String, position: SimulatedFleet.Point),
        at host: (name: String, position: SimulatedFleet.Point)
    ) -> Int16? {
        let distance = hypot(
            peripheral.position.x - host.position.x, peripheral.position.y - host.position.y)
        let loss = Self.lossPerDecade * log10(max(distance, 1))
        let strength = (Double(reference) - loss + shadow(of: peripheral.name, at: host.name)).rounded()
        return strength < Double(Self.sensitivity) ? nil : Int16(strength)
    }

    private func shadow(of peripheral: String, at host: String) -> Double {
        var generator = SeededGenerator(seed: seed ^ Self.hash("\(peripheral)\0\(host)"))
        // The sum of twelve uniform numbers is about normally distributed, with a standard deviation of 1.
        let sum = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
        return sum * Self.deviation
    }

    /// Returns the 64-bit FNV-1a hash, which is the same in each process.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
