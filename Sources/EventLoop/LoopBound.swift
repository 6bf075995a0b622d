/// An actor that runs on an event loop.
///
/// Public so that the compiler can inline `isolated` into other modules.
public protocol LoopBound: Actor {
    /// The loop that is the actor's executor.
    nonisolated var loop: EventLoop { get }
}

/// Synchronous calls of an actor from the loop's thread, for code that runs thousands of times a second.
///
/// `assumeIsolated` allocates two objects on the heap for each call (Swift 6.3.1), because its closure can capture values.
/// Here the values are parameters, and `body` must capture nothing. The functions are always inlined: a call of a specialized
/// copy allocates an object for the converted closure.
extension LoopBound {
    /// Calls `body` on the actor with one parameter.
    @inlinable @inline(__always) @discardableResult
    public nonisolated func isolated<First: ~Escapable, Result>(
        _ first: First, _ body: @escaping (isolated Self, First) -> Result
    ) -> Result {
        typealias Free = (Self, First) -> Result
        precondition(loop.isCurrent, "called from outside the loop's thread")
        return unsafeBitCast(body, to: Free.self)(self, first)
    }

    /// Calls `body` on the actor with two parameters.
    @inlinable @inline(__always) @discardableResult
    public nonisolated func isolated<First: ~Escapable, Second: ~Escapable, Result>(
        _ first: First, _ second: Second, _ body: @escaping (isolated Self, First, Second) -> Result
    ) -> Result {
        typealias Free = (Self, First, Second) -> Result
        precondition(loop.isCurrent, "called from outside the loop's thread")
        return unsafeBitCast(body, to: Free.self)(self, first, second)
    }
}

extension LoopBound {
    /// Calls `body` on the actor once, after `delay`, if the actor still exists then.
    ///
    /// - Returns: The timer, with which the caller can cancel the call.
    @discardableResult
    package nonisolated func after(_ delay: Duration, _ body: @escaping @Sendable (isolated Self) -> Void) -> Timer {
        loop.schedule(after: delay) { [weak self] in self?.assumeIsolated(body) }
    }

    /// Starts a task on the actor; the task stays on the loop's thread.
    ///
    /// The task retains the actor until `body` returns.
    @discardableResult
    package nonisolated func spawn(_ body: @escaping @Sendable (isolated Self) async -> Void) -> Task<Void, Never> {
        Task(executorPreference: loop.tasks) { await body(self) }
    }

    /// Returns a function for other objects of the loop, which calls `body` on the actor if the actor still exists then.
    package nonisolated func handler(_ body: @escaping @Sendable (isolated Self) -> Void) -> @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated(body) }
    }

    /// Returns a function with one parameter, like `handler(_:)`.
    package nonisolated func handler<Argument>(
        _ body: @escaping @Sendable (isolated Self, Argument) -> Void
    ) -> @Sendable (Argument) -> Void {
        { [weak self] argument in _ = self?.isolated(argument, body) }
    }

    /// Returns a function with two parameters, like `handler(_:)`.
    package nonisolated func handler<First: Sendable, Second: Sendable>(
        _ body: @escaping @Sendable (isolated Self, First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        { [weak self] first, second in self?.assumeIsolated { body($0, first, second) } }
    }

    /// Returns a function with three parameters, like `handler(_:)`.
    package nonisolated func handler<First: Sendable, Second: Sendable, Third: Sendable>(
        _ body: @escaping @Sendable (isolated Self, First, Second, Third) -> Void
    ) -> @Sendable (First, Second, Third) -> Void {
        { [weak self] first, second, third in self?.assumeIsolated { body($0, first, second, third) } }
    }
}
