import CLinux
import Glibc
import System

/// The descriptors that the loop waits for, and their handlers: one epoll(7) instance.
///
/// Confined to the loop's thread.
struct Poller {
    /// One entry of the watch table.
    final class Watch {
        /// Distinguishes the watch from a later watch of another descriptor that has the same number.
        fileprivate let generation: UInt32
        fileprivate private(set) var interest: Readiness
        /// Whether the descriptor may stay unread for some time, because the sender keeps unread data.
        fileprivate let canWait: Bool
        fileprivate let handler: (Readiness) -> Void

        fileprivate init(
            generation: UInt32, interest: Readiness, canWait: Bool, handler: @escaping (Readiness) -> Void
        ) {
            self.generation = generation
            self.interest = interest
            self.canWait = canWait
            self.handler = handler
        }

        fileprivate func change(to interest: Readiness) {
            self.interest = interest
        }
    }

    /// Whether the poller ignores readable data of the descriptors that were added with `canWait`.
    private(set) var holdsBack = false
    private let epoll: Int32
    /// The watches, indexed by descriptor: the kernel assigns the lowest free number, so the array stays small.
    private var watches: [Watch?] = []
    private var generation: UInt32 = 0
    /// The buffer into which epoll_wait(2) writes the events.
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

    /// - Throws: `SystemError` if the process has no file descriptor left.
    init() throws(SystemError) {
        epoll = epoll_create1(bluefleet_EPOLL_CLOEXEC)
        guard epoll >= 0 else { throw SystemError("cannot create an epoll descriptor", errno) }
    }

    func close() {
        events.deallocate()
        Glibc.close(epoll)
    }

    // MARK: Watches

    mutating func watch(
        _ descriptor: Int32, for interest: Readiness, canWait: Bool, _ handler: @escaping (Readiness) -> Void
    ) {
        precondition(watch(of: descriptor) == nil, "descriptor \(descriptor) is watched already")
        generation &+= 1
        let watch = Watch(generation: generation, interest: interest, canWait: canWait, handler: handler)
        let index = Int(descriptor)
        if index >= watches.count {
            watches += repeatElement(nil, count: index + 1 - watches.count)
        }
        watches[index] = watch
        control(EPOLL_CTL_ADD, descriptor, watch)
    }

    func rewatch(_ descriptor: Int32, for interest: Readiness) {
        guard let watch = watch(of: descriptor), watch.interest != interest else { return }
        watch.change(to: interest)
        control(EPOLL_CTL_MOD, descriptor, watch)
    }

    mutating func unwatch(_ descriptor: Int32) {
        guard let watch = watch(of: descriptor) else { return }
        watches[Int(descriptor)] = nil
        control(EPOLL_CTL_DEL, descriptor, watch)
    }

    mutating func holdBack(_ holdsBack: Bool) {
        guard self.holdsBack != holdsBack else { return }
        self.holdsBack = holdsBack
        for (descriptor, watch) in watches.enumerated() {
            if let watch, watch.canWait { control(EPOLL_CTL_MOD, Int32(descriptor), watch) }
        }
    }

    private func watch(of descriptor: Int32) -> Watch? {
        watches.indices.contains(Int(descriptor)) ? watches[Int(descriptor)] : nil
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ watch: Watch) {
        let key = UInt64(watch.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        let interest = holdsBack && watch.canWait ? watch.interest.subtracting(.readable) : watch.interest
        var event = epoll_event(events: interest.epoll, data: epoll_data_t(u64: key))
        guard epoll_ctl(epoll, operation, descriptor, &event) != 0 else { return }
        preconditionFailure("epoll_ctl(\(operation)) of descriptor \(descriptor): \(String(cString: strerror(errno)))")
    }

    // MARK: Events

    /// Waits for events.
    ///
    /// - Parameter milliseconds: The maximum wait; -1 for no limit.
    /// - Returns: The number of events, 0 to 64.
    func wait(_ milliseconds: Int32) -> Int {
        guard let buffer = events.baseAddress else { return 0 }
        let count = epoll_wait(epoll, buffer, Int32(events.count), milliseconds)
        if count >= 0 { return Int(count) }
        let code = errno
        // A signal ended the wait.
        precondition(code == EINTR, "epoll_wait: \(String(cString: strerror(code)))")
        return 0
    }

    /// Returns the watch and the operations of an event.
    ///
    /// Nil if an earlier handler of this turn removed the watch; a new descriptor may have the same number already.
    func handler(ofEvent index: Int) -> (watch: Watch, readiness: Readiness)? {
        let event = events[index]
        let descriptor = Int32(truncatingIfNeeded: event.data.u64)
        guard let watch = watch(of: descriptor), watch.generation == UInt32(event.data.u64 >> 32) else { return nil }
        return (watch, Readiness(epoll: event.events))
    }
}

extension Poller.Watch {
    func call(_ readiness: Readiness) {
        handler(readiness)
    }
}
