import JSON
package import System

/// The part of the history that a request asks for; there is none if a text is not a time.
package struct HistoryRange: Sendable {
    /// Milliseconds since 1970.
    let from: Int64
    let to: Int64

    /// - Parameters:
    ///   - from: The begin, in ISO 8601 or in seconds since 1970; nil: `keep` before the end.
    ///   - to: The end; nil: now.
    ///   - keep: The longest range.
    ///   - now: The present time.
    package init?(from: String?, to: String?, keep: Duration, at now: Timestamp) {
        let longest = max(keep, .seconds(3600)).components.seconds * 1000
        guard let end = Self.time(to, or: now.milliseconds), let begin = Self.time(from, or: end - longest) else {
            return nil
        }
        // The slot of the present moment is part of the range.
        self.to = min(max(end, 0), now.milliseconds + NumberSeries.step * 1000)
        self.from = max(min(begin, self.to), self.to - longest, 0)
    }

    private static func time(_ text: String?, or fallback: Int64) -> Int64? {
        guard let text else { return fallback }
        if let seconds = Double(text), seconds.isFinite, abs(seconds) < 1e11 { return Int64(seconds * 1000) }
        return Timestamp(text)?.milliseconds ?? Timestamp("\(text.prefix { $0 != "Z" }).000Z")?.milliseconds
    }

    fileprivate var slots: Range<Int64> {
        let length = NumberSeries.step * 1000
        return from / length..<max(from / length, (to + length - 1) / length)
    }
}

extension History {
    /// Returns the answer to a request for the readings of a device.
    package func readingsReply(_ device: String) -> [UInt8] {
        var reply = ReplyBuilder()
        reply.object { reply in
            reply.array(as: "readings") { reply in
                for name in readings(of: device) { reply.add(.string(name)) }
            }
        }
        return reply.bytes
    }

    /// Returns the answer to a request for the values of a reading.
    ///
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - reading: The name of the reading.
    ///   - range: The time.
    ///   - newest: The newest value: the history of a reading without stored values is empty. Its value is too old, or
    ///     there are too many readings.
    /// - Returns: JSON text; nil if there is no such reading.
    package func valuesReply(
        _ device: String, _ reading: String, _ range: HistoryRange, newest: DashboardReading? = nil
    ) -> [UInt8]? {
        guard let values = values(of: reading, device) ?? newest.map({ Values(without: $0) }) else { return nil }
        var reply = ReplyBuilder(capacity: 8192)
        reply.object { reply in
            switch values {
            case .numbers(let unit, let slot):
                reply.add(.number(range.slots.lowerBound * NumberSeries.step), as: "start")
                reply.add(.number(NumberSeries.step), as: "step")
                reply.add(unit.isEmpty ? nil : .string(unit), as: "unit")
                let slots = range.slots.map(slot)
                Self.add("min", slots.map { $0?.least }, to: &reply)
                Self.add("mean", slots.map { $0?.mean }, to: &reply)
                Self.add("max", slots.map { $0?.greatest }, to: &reply)
            case .states(let changes):
                reply.array(as: "states") { reply in
                    for change in Self.changes(changes, in: range) {
                        reply.add([.number(verbatim: Self.seconds(change.time)), .string(change.state)])
                    }
                }
            }
        }
        return reply.bytes
    }

    /// Returns the values of a reading as CSV (RFC 4180), like `valuesReply`.
    package func csvReply(
        _ device: String, _ reading: String, _ range: HistoryRange, newest: DashboardReading? = nil
    ) -> [UInt8]? {
        guard let values = values(of: reading, device) ?? newest.map({ Values(without: $0) }) else { return nil }
        var text: String
        switch values {
        case .numbers(let unit, let slot):
            text = "time,min,mean,max,unit\r\n"
            for number in range.slots {
                guard let values = slot(number) else { continue }
                let time = Timestamp(milliseconds: number * NumberSeries.step * 1000)
                text += "\(time),\(values.least),\(values.mean),\(values.greatest),\(Self.quoted(unit))\r\n"
            }
        case .states(let changes):
            text = "time,state\r\n"
            for change in Self.changes(changes, in: range) {
                text += "\(Timestamp(milliseconds: change.time)),\(Self.quoted(change.state))\r\n"
            }
        }
        return Array(text.utf8)
    }

    /// Returns the changes of a range, and the last one before, whose state went on.
    private static func changes(
        _ changes: [(time: Int64, state: String)], in range: HistoryRange
    ) -> ArraySlice<(time: Int64, state: String)> {
        let first = changes.lastIndex { $0.time <= range.from } ?? 0
        return changes[first...].prefix { $0.time <= range.to }
    }

    private static func add(_ name: String, _ values: [Float?], to reply: inout ReplyBuilder) {
        reply.array(as: name) { reply in
            for value in values { reply.add(value.map { .number(verbatim: "\($0)") }) }
        }
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = milliseconds % 1000
        guard rest != 0 else { return "\(milliseconds / 1000)" }
        return "\(milliseconds / 1000).\(String(1000 + rest).dropFirst())"
    }

    /// Quotes a text; spreadsheets run texts with some first characters as formulas, so they get an apostrophe.
    private static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.contains(where: { "\",\r\n'".contains($0) }) else { return safe }
        return "\"" + safe.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
