/// A part of an actor on an event loop: a class that is used only on the loop's thread.
///
/// An actor is an isolation domain, its parts are not: they call each other directly. A part is not `Sendable`, so the
/// compiler rejects its use in another domain. The functions below are the way back to the part for timers, for tasks and
/// for the handlers of other actors. They are unchecked by the compiler, and check at run time that they are on the
/// loop's thread.
package protocol LoopPart: AnyObject, SendableMetatype {
    /// The loop of the actor.
    var loop: EventLoop { get }
}

extension LoopPart {
    /// Calls `body` once, after `delay`, if the part still exists then.
    ///
    /// - Returns: The timer, with which the caller can cancel the call.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping (Self) -> Void) -> Timer {
        loop.schedule(after: delay) { [weak self] in
            if let self { body(self) }
        }
    }

    /// Starts a task on the loop's thread, which retains the part until `body` returns.
    package func spawn(_ body: @escaping (Self) async -> Void) {
        loop.checkThread()
        let work = LoopConfined((part: self, body: body))
        // On an actor of the loop: calls of other actors of the loop then need no change of the executor.
        LoopActor(loop: loop).spawn { _ in await work.value.body(work.value.part) }
    }

    /// Returns a function for another actor of the loop, which calls `body` if the part still exists then.
    package func handler(_ body: @escaping (Self) -> Void) -> @Sendable () -> Void {
        let target = LoopConfined((part: Weak(self), body: body, loop: loop))
        return {
            target.value.loop.checkThread()
            if let part = target.value.part.object { target.value.body(part) }
        }
    }

    /// Returns a function with one parameter, like `handler(_:)`.
    package func handler<Argument>(_ body: @escaping (Self, Argument) -> Void) -> @Sendable (Argument) -> Void {
        let target = LoopConfined((part: Weak(self), body: body, loop: loop))
        return { argument in
            target.value.loop.checkThread()
            if let part = target.value.part.object { target.value.body(part, argument) }
        }
    }

    /// Returns a function with one parameter and a result, which is nil if the part no longer exists.
    package func handler<Argument, Result>(
        _ body: @escaping (Self, Argument) -> Result?
    ) -> @Sendable (Argument) -> Result? {
        let target = LoopConfined((part: Weak(self), body: body, loop: loop))
        return { argument in
            target.value.loop.checkThread()
            return target.value.part.object.flatMap { target.value.body($0, argument) }
        }
    }
}

/// A value that crosses isolation domains of one loop; it is used only on the loop's thread.
private struct LoopConfined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

private struct Weak<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
