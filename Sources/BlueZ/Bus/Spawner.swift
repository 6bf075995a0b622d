import EventLoop

/// Starts tasks for a part of an actor, for example for the scanner of the central.
///
/// The part is isolated to the actor, so a task cannot capture the part.
struct Spawner<Part>: Sendable {
    private let start: @Sendable (@escaping @Sendable (Part) async -> Void) -> Void

    /// - Parameters:
    ///   - owner: The reference to the actor, which need not exist yet.
    ///   - part: Returns the part of the actor.
    init<Owner: LoopBound>(_ owner: OwnerReference<Owner>, _ part: @escaping @Sendable (isolated Owner) -> Part) {
        start = { body in
            owner.current?.spawn { await body(part($0)) }
        }
    }

    /// Starts `body` in a task on the actor, which retains the actor until `body` returns.
    func callAsFunction(_ body: @escaping @Sendable (Part) async -> Void) {
        start(body)
    }
}

/// A weak reference to an actor, which the actor's initializer creates before the actor exists.
///
/// Unchecked: the reference is set once, at the end of that initializer, and then only read.
final class OwnerReference<Owner: LoopBound>: @unchecked Sendable {
    private(set) weak var current: Owner?

    func set(_ owner: Owner) {
        current = owner
    }
}
