package import System

/// A step of the machine's calendar clock, for example by the first synchronization after the start.
package struct ClockStep {
    /// How far the clock was set; negative if it was set back.
    package let step: Duration
    /// The time after the step.
    package let now: Timestamp

    package init(step: Duration, now: Timestamp) {
        self.step = step
        self.now = now
    }

    /// A time that differs from `now` by less than this was read after the step.
    private static let tolerance: Int64 = 1000

    /// Returns a time that was read before the step as the clock would have shown it if it had been right.
    package func corrected(_ time: Timestamp) -> Timestamp {
        guard (now.milliseconds - time.milliseconds).magnitude >= Self.tolerance else { return time }
        return Timestamp(milliseconds: time.milliseconds + step.nanoseconds / 1_000_000)
    }

    /// Returns the payload of a message with the corrected time; nil if the payload does not end with a time.
    ///
    /// Readings and events end with `"time":"2026-11-21T05:09:00.123Z"}`.
    package func corrected(payload: [UInt8]) -> [UInt8]? {
        let (head, tail) = (Array("\"time\":\"".utf8), Array("\"}".utf8))
        let start = payload.count - tail.count - Self.textLength
        guard start >= head.count, payload[(start - head.count)..<start].elementsEqual(head),
            payload.suffix(2) == tail[...],
            let time = Timestamp(String(decoding: payload[start...].dropLast(tail.count), as: UTF8.self))
        else { return nil }
        var text: [UInt8] = []
        corrected(time).append(to: &text)
        return payload[..<start] + text + tail
    }

    /// The number of bytes of a time.
    private static let textLength = 24
}
