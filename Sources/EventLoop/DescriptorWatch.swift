/// The loop's interest in one descriptor.
final class DescriptorWatch {
    let generation: UInt32
    let handler: (Readiness) -> Void
    var interest: Readiness

    init(generation: UInt32, interest: Readiness, handler: @escaping (Readiness) -> Void) {
        self.generation = generation
        self.interest = interest
        self.handler = handler
    }
}
