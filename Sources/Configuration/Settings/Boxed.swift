/// A value in an object of its own.
///
/// A large value that few entries have, or that many parts share, takes the memory of a reference where it is stored
/// (measured: Tests/Benchmark/README.md).
package final class Boxed<Value: Sendable & Equatable>: Sendable, Equatable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package static func == (left: Boxed, right: Boxed) -> Bool { left === right || left.value == right.value }
}
