import Glibc

/// A thread for one blocking call.
enum TransientThread {
    /// Runs `body` on a new thread while the caller is suspended.
    static func run<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withUnsafeContinuation { continuation in
            let call = Unmanaged.passRetained(Call { continuation.resume(returning: body()) })
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, startCall, call.toOpaque())
            if code == 0 {
                pthread_detach(thread)
            } else {
                // The system has no thread left: the call blocks the loop, which is better than a failure.
                _ = startCall(call.toOpaque())
            }
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
