import Glibc
import System

/// A thread for calls that block, such as a look-up of a name or a synchronization of a disk.
///
/// The thread exists only during the call: an idle process has no other thread than its loop's.
package enum BackgroundThread {
    /// Starts `body` on a new thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        // A look-up may load a library.
        let call = Unmanaged.passRetained(Call(body: { SpareMemory.whileMapping(body) }))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, startCall, call.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            // The system has no thread left: the call blocks the loop, which is better than a failure.
            _ = startCall(call.toOpaque())
        }
    }

    /// Runs `body` on a new thread while the caller is suspended.
    package static func run<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withUnsafeContinuation { continuation in
            start { continuation.resume(returning: body()) }
        }
    }
}

private final class Call: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func startCall(_ call: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let call else { preconditionFailure("a thread was started without its call") }
    Unmanaged<Call>.fromOpaque(call).takeRetainedValue().body()
    return nil
}
