/// A weak reference to an actor, for the parts that the actor's initializer creates before the actor exists.
///
/// The returned functions do nothing before `set(_:)` and after the end of the actor. They must be called on the loop's
/// thread.
///
/// Unchecked: the reference is set once, at the end of the initializer, and then only read.
package final class ActorReference<Owner: LoopBound>: @unchecked Sendable {
    private weak var owner: Owner?

    package init() {}

    package func set(_ owner: Owner) {
        self.owner = owner
    }

    /// Returns a function that calls `body` on the actor.
    package func handler<First>(
        _ body: @escaping @Sendable (isolated Owner, First) -> Void
    ) -> @Sendable (First) -> Void {
        { [self] first in _ = owner?.isolated(first, body) }
    }

    /// Returns a function that calls `body` on the actor and returns its result; nil without the actor.
    package func function<First, Second, Result>(
        _ body: @escaping @Sendable (isolated Owner, First, Second) -> Result?
    ) -> @Sendable (First, Second) -> Result? {
        { [self] first, second in owner.flatMap { $0.isolated(first, second, body) } }
    }
}
