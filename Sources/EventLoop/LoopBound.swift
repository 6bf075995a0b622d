/// An actor that lives on a loop.
///
/// Public, as its loop is, for the compiler to hand its functions' bodies over to the rooms that call them.
public protocol LoopBound: Actor {
    nonisolated var loop: EventLoop { get }
}

/// The actor as its caller on the loop has it: `assumeIsolated` for what happens thousands of times a second.
///
/// That one makes two objects on the heap (as Swift 6.3.1 compiles it), since its closure may capture things; here they
/// are handed over, and `body` is to capture nothing.
extension LoopBound {
    @inlinable @discardableResult
    public nonisolated func isolated<First: ~Escapable, Result>(
        _ first: First, _ body: @escaping (isolated Self, First) -> Result
    ) -> Result {
        typealias Free = (Self, First) -> Result
        precondition(loop.isCurrent, "called from outside the loop's thread")
        return unsafeBitCast(body, to: Free.self)(self, first)
    }

    @inlinable @discardableResult
    public nonisolated func isolated<First: ~Escapable, Second: ~Escapable, Result>(
        _ first: First, _ second: Second, _ body: @escaping (isolated Self, First, Second) -> Result
    ) -> Result {
        typealias Free = (Self, First, Second) -> Result
        precondition(loop.isCurrent, "called from outside the loop's thread")
        return unsafeBitCast(body, to: Free.self)(self, first, second)
    }
}
