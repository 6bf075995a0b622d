/// The reason why a measurement failed.
package struct BenchmarkError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
