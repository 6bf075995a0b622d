internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread and one `epoll_wait` for everything: the executor of every actor of the daemon, its descriptors, its
/// timers and its signals.
///
/// An actor lives on a loop by naming it as its executor:
///
///     actor Thermostat {
///         nonisolated let unownedExecutor: UnownedSerialExecutor
///         init(loop: EventLoop) { unownedExecutor = loop.asUnownedSerialExecutor() }
///     }
///
/// Handlers given to the loop run on its thread, between the actors' jobs. Only `enqueue`, `schedule` and `stop` may be
/// called from other threads.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// Where the loop's time comes from.
    package enum Time: Sendable {
        /// The machine's clocks.
        case system
        /// Time stands still until `advance(by:)`: for tests.
        case manual
    }

    /// The executor that tasks of this loop prefer.
    package private(set) lazy var tasks = LoopTaskExecutor(loop: self)

    let time: Time
    var manualNow = Instant(nanoseconds: 0)
    var timers = TimerHeap()
    /// Who watches a descriptor, by its number: those are small, the system gives out the least that is free.
    var descriptors: [DescriptorWatch?] = []
    var generation: UInt32 = 0
    let epoll: Int32
    var moderated = Moderation()
    /// Whether descriptors that can wait are not read, since what comes there would have nowhere to go.
    package var holdsBack = false {
        didSet { if holdsBack != oldValue { holdBackChanged() } }
    }
    /// What is to be done when the descriptors that are ready have been handled.
    var afterwards: [() -> Void] = []
    /// What is to be done before the loop waits.
    var conclusions: [() -> Void] = []
    /// When it is to be done at the latest.
    var conclusionsDue = Instant(nanoseconds: 0)
    /// Where the system puts what has happened.
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

    private let jobs = Mutex<[UnownedJob]>([])
    /// Whether there may be jobs, to be asked without the lock.
    private let hasJobs = Atomic<Bool>(false)
    private var batch: [UnownedJob] = []
    private let wake: Int32
    private let thread = Atomic<UInt>(0)
    private let stopping = Atomic<Bool>(false)

    /// Makes a loop that is not running yet.
    ///
    /// - Throws: `EventLoopError` when the system has no descriptor left.
    package init(time: Time = .system) throws(EventLoopError) {
        self.time = time
        epoll = epoll_create1(bluefleet_EPOLL_CLOEXEC)
        guard epoll >= 0 else { throw EventLoopError("cannot make an epoll descriptor", errno) }
        wake = eventfd(0, bluefleet_EFD_CLOEXEC_NONBLOCK)
        guard wake >= 0 else {
            let code = errno
            close(epoll)
            throw EventLoopError("cannot make an event descriptor", code)
        }
        var event = epoll_event(events: bluefleet_EPOLLIN, data: epoll_data_t(u64: UInt64(UInt32(bitPattern: wake))))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event)
    }

    deinit {
        events.deallocate()
        close(wake)
        close(epoll)
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Runs on the calling thread until `stop()`.
    package func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        while !stopping.exchange(false, ordering: .acquiring) {
            turn()
        }
    }

    /// Ends `run()` after the turn in progress.
    package func stop() {
        stopping.store(true, ordering: .releasing)
        signalWake()
    }

    private func turn() {
        runJobs()
        let start = now
        while let timer = timers.popDue(at: start) {
            timer.fire()
        }
        for index in 0..<wait() {
            dispatch(events[index])
        }
        while let handler = afterwards.popLast() { handler() }
    }

    /// Whether there is something to do before anything else comes.
    var hasWork: Bool {
        stopping.load(ordering: .relaxed) || hasJobs.load(ordering: .acquiring)
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = Int32(truncatingIfNeeded: event.data.u64)
        if descriptor == wake {
            var count: UInt64 = 0
            read(wake, &count, 8)
            return
        }
        // The generation tells a descriptor from a later one with the same number, closed and opened in this very turn.
        guard let watch = self.watch(of: descriptor), watch.generation == UInt32(event.data.u64 >> 32) else { return }
        watch.handler(Readiness(epoll: event.events))
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
        // Before they are taken: a job that comes meanwhile is among them, or makes it true again.
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
        write(wake, &one, 8)
    }
}
