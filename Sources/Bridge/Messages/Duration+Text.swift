internal import EventLoop

extension Duration {
    /// For people, as precise as they want to know: `950ms`, `1.5s`, `30s`, `10m`, `1h`, `7d`.
    var text: String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        if milliseconds < 60_000 {
            let tenths = (milliseconds + 50) / 100
            return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = (milliseconds + 500) / 1000
        for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
