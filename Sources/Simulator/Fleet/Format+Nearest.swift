import Codec
import JSON

extension Format {
    /// Encodes a value of a curve.
    ///
    /// A number is rounded to a whole number if the step of its quantity is 1: curves also have values in between.
    func encode(nearest value: Value) throws(EncodingError) -> [UInt8] {
        try encode(nearest(to: value))
    }

    private func nearest(to value: Value) -> Value {
        switch value {
        case .number(_): hasOneValue ? Self.nearest(to: value, of: quantities.first) : value
        case .record(let record):
            .record(
                Record(
                    record.map { member in
                        (member.name, Self.nearest(to: member.value, of: quantities.first { $0.name == member.name }))
                    }))
        default: value
        }
    }

    private static func nearest(to value: Value, of quantity: Quantity?) -> Value {
        guard quantity?.step == 1, case .number(let number) = value, let steps = number.steps(of: 1) else {
            return value
        }
        return .number(Decimal(steps))
    }
}
