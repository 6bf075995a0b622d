/// Values by device, like a dictionary, for a value of nearly each shared device.
///
/// The values of shared devices are in an array. A dictionary would need up to four times the memory, because it has each
/// name again, and free places. Other devices, e.g. those that only other gateways share, are in a dictionary.
package struct DeviceValues<Value: Sendable>: Sendable {
    private(set) var numbers: DeviceNumbers
    /// The values of the shared devices by number; empty before the first one.
    private var shared: [Value?] = []
    private var sharedCount = 0
    private var others: [String: Value] = [:]

    package init(_ numbers: DeviceNumbers = .none) {
        self.numbers = numbers
    }

    /// Creates the values of all shared devices.
    init(_ values: [String: Value]) {
        numbers = DeviceNumbers(values.keys)
        shared = numbers.names.map { values[$0] }
        sharedCount = shared.count
    }

    package var count: Int { sharedCount + others.count }

    /// The devices with a value.
    package var names: [String] { map(\.device) }

    /// The value of a device; nil: it has none.
    package subscript(device: String) -> Value? {
        get {
            guard let number = numbers[device] else { return others[device] }
            return shared.isEmpty ? nil : shared[number]
        }
        set {
            guard let number = numbers[device] else { return others[device] = newValue }
            if shared.isEmpty {
                guard newValue != nil else { return }
                shared = Array(repeating: nil, count: numbers.count)
            }
            sharedCount += (newValue == nil ? 0 : 1) - (shared[number] == nil ? 0 : 1)
            shared[number] = newValue
        }
    }

    /// Replaces each value.
    mutating func replaceAll(_ transform: (Value) -> Value) {
        for number in shared.indices { shared[number] = shared[number].map(transform) }
        others = others.mapValues(transform)
    }

    /// Keeps the values for another list of shared devices.
    mutating func use(_ numbers: DeviceNumbers) {
        guard numbers !== self.numbers else { return }
        var values = DeviceValues(numbers)
        for (device, value) in self { values[device] = value }
        self = values
    }
}

extension DeviceValues: Sequence {
    package struct Iterator: IteratorProtocol {
        private var shared: Zip2Sequence<[String], [Value?]>.Iterator
        private var others: [String: Value].Iterator

        fileprivate init(
            _ shared: Zip2Sequence<[String], [Value?]>.Iterator, _ others: [String: Value].Iterator
        ) {
            (self.shared, self.others) = (shared, others)
        }

        package mutating func next() -> (device: String, value: Value)? {
            while let (device, value) = shared.next() {
                if let value { return (device, value) }
            }
            return others.next().map { ($0.key, $0.value) }
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(zip(numbers.names, shared).makeIterator(), others.makeIterator())
    }
}

extension DeviceValues: Equatable where Value: Equatable {
    package static func == (left: DeviceValues, right: DeviceValues) -> Bool {
        if left.numbers === right.numbers { return left.shared == right.shared && left.others == right.others }
        return left.count == right.count && left.allSatisfy { right[$0.device] == $0.value }
    }
}
