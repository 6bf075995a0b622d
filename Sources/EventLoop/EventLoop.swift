import CLinux
import Glibc
import Synchronization
package import System

/// The executor of all actors of the daemon, which also handles its descriptors, timers and signals: one thread with
/// one `epoll_wait`.
///
/// An actor runs on a loop if `unownedExecutor` returns the loop:
///
///     actor Thermostat {
///         nonisolated let unownedExecutor: UnownedSerialExecutor
///         init(loop: EventLoop) { unownedExecutor = loop.asUnownedSerialExecutor() }
///     }
///
/// The loop calls its handlers on its thread, between the actors' jobs. Only `enqueue`, `stop` and `isCurrent` can be
/// used from other threads.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// The source of the loop's time.
    package enum Time: Sendable {
        /// The machine's clocks.
        case system
        /// A clock that stands still until `advance(by:)`, for tests.
        case manual
    }

    /// The task executor that keeps tasks on the loop's thread.
    package private(set) lazy var tasks = LoopTaskExecutor(loop: self)

    // Shared between threads.
    private let jobs = Mutex<[UnownedJob]>([])
    /// Whether `jobs` may contain jobs; read without the lock.
    private let hasJobs = Atomic<Bool>(false)
    private let thread = Atomic<UInt>(0)
    private let isStopping = Atomic<Bool>(false)
    /// The descriptor of an eventfd(2), which another thread writes to end the wait.
    private let wakeDescriptor: Int32

    // Confined to the loop's thread, or to the thread that creates the loop until it runs.
    private var clock: LoopClock
    private var timers = TimerHeap()
    private var poller: Poller
    private var moderator = Moderation()
    /// The descriptor whose data ends the next pause of a busy loop, and its maximum length; nil: nothing ends it.
    private var awaited: (descriptor: Int32, limit: Duration)?
    private var batch: [UnownedJob] = []
    /// Handlers for the end of the present turn.
    private var turnEndHandlers: [() -> Void] = []
    /// Handlers for the time before the loop waits.
    private var idleHandlers: [() -> Void] = []
    /// The latest time of the call of the idle handlers while events keep arriving.
    private var idleDeadline = Instant(nanoseconds: 0)

    /// Creates a loop that does not run yet.
    ///
    /// - Throws: `SystemError` if the process has no file descriptor left.
    package init(time: Time = .system) throws(SystemError) {
        clock = time == .manual ? .manual(Instant(nanoseconds: 0)) : .system
        poller = try Poller()
        wakeDescriptor = eventfd(0, bluefleet_EFD_CLOEXEC_NONBLOCK)
        guard wakeDescriptor >= 0 else {
            let code = errno
            poller.close()
            throw SystemError("cannot create an event descriptor", code)
        }
        let descriptor = wakeDescriptor
        poller.watch(descriptor, for: .readable, canWait: false) { _ in
            var count: UInt64 = 0
            read(descriptor, &count, 8)
        }
    }

    deinit {
        close(wakeDescriptor)
        poller.close()
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Stops the program if the caller is on another thread than the running loop.
    func checkThread() {
        precondition(isCurrent || thread.load(ordering: .relaxed) == 0, "called from outside the loop's thread")
    }

    // MARK: Running

    /// Runs on the calling thread until `stop()`.
    package func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        while !isStopping.exchange(false, ordering: .acquiring) {
            turn()
        }
        // A task that calls `stop` as its last statement still has to return, and is never released otherwise.
        runJobs()
    }

    /// Ends `run()` after the present turn and the jobs that are queued then.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        signalWake()
    }

    private func turn() {
        runJobs()
        var time = now
        if fireTimers(dueAt: time) { time = now }
        for index in 0..<wait(at: time) {
            if let event = poller.handler(ofEvent: index) { event.watch.call(event.readiness) }
        }
        while let handler = turnEndHandlers.popLast() { handler() }
    }

    /// Fires the timers that are due; returns whether there was one.
    private func fireTimers(dueAt moment: Instant) -> Bool {
        var isAnyDue = false
        while let timer = timers.popDue(at: moment) {
            isAnyDue = true
            timer.fire()
        }
        return isAnyDue
    }

    /// Whether the loop must not wait.
    private var hasWork: Bool {
        isStopping.load(ordering: .relaxed) || hasJobs.load(ordering: .acquiring)
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasEmpty = jobs.withLock { jobs in
            jobs.append(job)
            hasJobs.store(true, ordering: .releasing)
            return jobs.count == 1
        }
        if wasEmpty && !isCurrent { signalWake() }
    }

    public func checkIsolated() {
        precondition(isCurrent, "called from outside the loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    private func runJobs() {
        guard hasJobs.load(ordering: .acquiring) else { return }
        // The flag is cleared first: a job that is added from now on is either swapped below or sets the flag again.
        hasJobs.store(false, ordering: .relaxed)
        jobs.withLock { swap(&$0, &batch) }
        for job in batch {
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: tasks.asUnownedTaskExecutor())
        }
        batch.removeAll(keepingCapacity: true)
    }

    private func signalWake() {
        var one: UInt64 = 1
        write(wakeDescriptor, &one, 8)
    }

    // MARK: Time

    /// The current time of the loop's clock.
    package var now: Instant { clock.now }

    /// The current time in UTC.
    package var timestamp: Timestamp { clock.timestamp }

    /// Moves a manual clock; the timers that become due fire in the loop's next turn.
    package func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    /// Calls `handler` once, on the loop, after `delay`.
    ///
    /// - Returns: The timer, with which the caller can cancel the call.
    @discardableResult
    package func schedule(after delay: Duration, _ handler: @escaping () -> Void) -> Timer {
        checkThread()
        let timer = Timer(due: now + delay, handler: handler)
        timers.insert(timer)
        return timer
    }

    // MARK: Descriptors

    /// Calls `handler` on the loop whenever `descriptor` is ready for `interest`, or has hung up or failed.
    ///
    /// The caller owns the descriptor and must call `unwatch` before it closes the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor without a watch.
    ///   - interest: The operations to wait for.
    ///   - canWait: Whether the descriptor may stay unread while `holdsBack` is true: its sender keeps unread data.
    ///   - handler: Receives the operations that are possible.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, canWait: Bool = false, _ handler: @escaping (Readiness) -> Void
    ) {
        checkThread()
        poller.watch(descriptor, for: interest, canWait: canWait, handler)
    }

    /// Changes the operations that the loop waits for on a watched descriptor.
    package func rewatch(_ descriptor: Int32, for interest: Readiness) {
        checkThread()
        poller.rewatch(descriptor, for: interest)
    }

    /// Ends the watch of a descriptor; has no effect without a watch.
    package func unwatch(_ descriptor: Int32) {
        checkThread()
        if awaited?.descriptor == descriptor { awaited = nil }
        poller.unwatch(descriptor)
    }

    /// Whether the loop does not read descriptors with `canWait`, because their data could not be passed on.
    package var holdsBack: Bool {
        get { poller.holdsBack }
        set { poller.holdBack(newValue) }
    }

    // MARK: Batching

    /// The time for which a busy loop collects events before it handles them together; zero (default): no batching.
    ///
    /// Always zero on a loop with a manual clock.
    package var moderation: Duration {
        get { moderator.pause }
        set { moderator.pause = clock.isManual ? .zero : newValue }
    }

    /// Whether the loop handles events in batches because many arrive.
    package var isBatching: Bool { isBatching(at: now) }

    /// Returns whether the loop handles events in batches at `moment`, the current time.
    package func isBatching(at moment: Instant) -> Bool {
        moderator.isBatching(at: moment)
    }

    /// Suspends batching for `limit`, because the response to a request must be handled as soon as it arrives.
    package func expectAnswer(within limit: Duration) {
        guard moderator.pause > .zero else { return }
        moderator.expectAnswer(until: now + limit)
    }

    /// Ends the next pause of a busy loop as soon as a watched descriptor is readable, or after `limit`: other data is still
    /// collected until then.
    package func expectAnswer(on descriptor: Int32, within limit: Duration) {
        if moderator.pause > .zero { awaited = (descriptor, limit) }
    }

    /// Calls `handler` once, after all descriptors of this turn have been handled; the last handler is called first.
    package func afterDescriptors(_ handler: @escaping () -> Void) {
        turnEndHandlers.append(handler)
    }

    /// Calls `handler` once, before the loop waits.
    ///
    /// If events keep arriving, so that the loop does not wait, the call happens as soon as `moderation` has passed.
    package func beforeWaiting(_ handler: @escaping () -> Void) {
        if idleHandlers.isEmpty { idleDeadline = now + moderator.pause }
        idleHandlers.append(handler)
    }

    private func callIdleHandlers() {
        while let handler = idleHandlers.popLast() { handler() }
    }

    // MARK: Waiting

    /// Waits for descriptors, until the next timer at the latest.
    ///
    /// The clock is read again only after something that can take time: a wake-up handles few events, so each reading counts
    /// (measured: Tests/Benchmark/README.md).
    ///
    /// - Parameter start: The current time.
    /// - Returns: The number of events.
    private func wait(at start: Instant) -> Int {
        if collectsBatch(at: start) {
            // Events that have arrived are handled first, because a library reads only a limited amount at a time.
            let count = poller.wait(0)
            if count > 0 {
                if !idleHandlers.isEmpty, now >= idleDeadline { callIdleHandlers() }
                return count
            }
        }
        var time = start
        if !idleHandlers.isEmpty {
            callIdleHandlers()
            time = now
        }
        if collectsBatch(at: time) {
            pauseThread()
            let count = poller.wait(0)
            time = now
            moderator.collected(count > 0, at: time)
            if count > 0 { return count }
        }
        let count = poller.wait(waitMilliseconds(at: time))
        if count > 0, moderator.pause > .zero { moderator.arrived(at: now) }
        return count
    }

    private func collectsBatch(at moment: Instant) -> Bool {
        moderator.isBatching(at: moment) && waitMilliseconds(at: moment) != 0
    }

    private func pauseThread() {
        if let (descriptor, limit) = awaited {
            awaited = nil
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(clamping: max(1, min(limit, moderator.pause).nanoseconds / 1_000_000)))
        } else {
            let (seconds, attoseconds) = moderator.pause.components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
        }
    }

    /// Returns the maximum wait in milliseconds: 0 with jobs in the queue, else until the next timer; -1 for no limit.
    private func waitMilliseconds(at moment: Instant) -> Int32 {
        if hasWork { return 0 }
        guard let next = timers.next else { return -1 }
        guard !clock.isManual else { return next <= moment ? 0 : -1 }
        // Rounded up: an early wake-up would make the loop spin for the rest of the millisecond.
        let milliseconds = (next.nanoseconds(since: moment) + 999_999) / 1_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
