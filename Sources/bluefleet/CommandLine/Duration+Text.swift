extension Duration {
    /// The duration as the configuration writes it, in the largest unit that leaves no rest: `10m`.
    var text: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)] as [(String, Int64)]
        where milliseconds % length == 0 && milliseconds > 0 {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
