/// The loop's interest in one descriptor.
final class DescriptorWatch {
    let generation: UInt32
    let handler: (Readiness) -> Void
    var interest: Readiness
    /// Whether what comes here is kept by whoever sends it until it is read.
    let canWait: Bool

    init(generation: UInt32, interest: Readiness, canWait: Bool, handler: @escaping (Readiness) -> Void) {
        self.generation = generation
        self.interest = interest
        self.canWait = canWait
        self.handler = handler
    }
}
