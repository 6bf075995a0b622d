import Codec
import Configuration
import JSON
import System

extension ConversationPlan.Item {
    /// Returns the records in a frame of a history, with their times; a record without a time is left out.
    ///
    /// - Parameters:
    ///   - content: The content of the frame, or of the whole answer.
    ///   - frame: The number of the frame, from 0 on.
    ///   - environment: The names for the format and for the formula of the time.
    ///   - localOffset: The difference between local time and UTC in seconds.
    /// - Returns: The records, in the order of the frame.
    /// - Throws: `DecodingError` if the frame does not fit the format.
    func records(
        in content: [UInt8], frame: Int, _ environment: Environment, localOffset: Int
    ) throws(DecodingError) -> [HistoryRecord] {
        guard let format, let history else { return [] }
        let reading = try format.decode(content, in: environment)
        if let valid, (try? reading.check(valid, in: format)) == nil { return [] }
        var environment = environment
        // A field that the record does not contain, such as an offset of the time, counts as 0.
        for quantity in format.quantities { environment[quantity.name] = .number(.zero) }
        for member in try format.members(of: content, in: environment) {
            environment[member.name] = member.value.seconds(localOffset: localOffset) ?? member.value
        }
        environment["frame"] = .number(Decimal(frame))
        var records: [HistoryRecord] = []
        for (index, element) in reading.elements(of: history.list).enumerated() {
            environment["index"] = .number(Decimal(index))
            guard !element.isUnknown, let time = try? history.time.number(in: environment),
                let seconds = time.rounded(toPlaces: 0, down: true)?.integer
            else { continue }
            records.append(HistoryRecord(element, at: Int64(seconds)))
        }
        return records
    }
}

extension Reading {
    /// Returns the elements of a list of the reading, each one as a reading; the reading itself if `list` is nil.
    fileprivate func elements(of list: String?) -> [Reading] {
        guard let list else { return [self] }
        let (value, unit): (Value?, String?) =
            switch self {
            case .value(let value, let unit): (value, unit)
            case .fields(let members):
                members.first { $0.name == list }.map { ($0.value, $0.unit) } ?? (nil, nil)
            }
        guard case .list(let elements)? = value else { return [] }
        return elements.map { element in
            guard case .record(let record) = element else { return .value(element, unit: unit) }
            return .fields(record.map { Reading.Member(name: $0.name, value: $0.value, unit: nil) })
        }
    }

    /// Whether no value of the reading is known.
    fileprivate var isUnknown: Bool {
        switch self {
        case .value(let value, _): value == .null
        case .fields(let members): members.allSatisfy { $0.value == .null }
        }
    }
}

extension Value {
    /// Returns the seconds since 1970 of a date and time, such as the local `2026-11-21T05:09:00`; nil for any other value.
    func seconds(localOffset: Int) -> Value? {
        guard case .string(let text) = self else { return nil }
        // A time with an offset is in UTC.
        let isUTC = text.hasSuffix("+00:00")
        let time = Timestamp("\(isUTC ? String(text.dropLast("+00:00".count)) : text).000Z")
        return time.map { .number(Decimal($0.milliseconds / 1000 - Int64(isUTC ? 0 : localOffset))) }
    }
}
