internal import CLinux
internal import Glibc

extension EventLoop {
    /// Calls `handler` on the loop whenever `descriptor` is ready for what `interest` names, or has hung up or failed.
    ///
    /// The descriptor stays the caller's, who calls `unwatch` before closing it. One watch per descriptor.
    ///
    /// - Parameter canWait: Whether it is left unread while the loop holds back, since nothing is lost there.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, canWait: Bool = false, _ handler: @escaping (Readiness) -> Void
    ) {
        precondition(watch(of: descriptor) == nil, "descriptor \(descriptor) is watched already")
        generation &+= 1
        let watch = DescriptorWatch(generation: generation, interest: interest, canWait: canWait, handler: handler)
        let index = Int(descriptor)
        if index >= descriptors.count {
            descriptors += repeatElement(nil, count: index + 1 - descriptors.count)
        }
        descriptors[index] = watch
        control(EPOLL_CTL_ADD, descriptor, watch)
    }

    /// Changes what a watched descriptor is waited for.
    package func rewatch(_ descriptor: Int32, for interest: Readiness) {
        guard let watch = watch(of: descriptor), watch.interest != interest else { return }
        watch.interest = interest
        control(EPOLL_CTL_MOD, descriptor, watch)
    }

    /// Ends the watch; harmless when there is none.
    package func unwatch(_ descriptor: Int32) {
        guard let watch = watch(of: descriptor) else { return }
        descriptors[Int(descriptor)] = nil
        control(EPOLL_CTL_DEL, descriptor, watch)
    }

    /// The watch of a descriptor, if it has one.
    func watch(of descriptor: Int32) -> DescriptorWatch? {
        descriptors.indices.contains(Int(descriptor)) ? descriptors[Int(descriptor)] : nil
    }

    /// Waits no longer for descriptors that can wait, or waits for them again.
    func holdBackChanged() {
        for (descriptor, watch) in descriptors.enumerated() {
            if let watch, watch.canWait { control(EPOLL_CTL_MOD, Int32(descriptor), watch) }
        }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ watch: DescriptorWatch) {
        let key = UInt64(watch.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        let interest = holdsBack && watch.canWait ? watch.interest.subtracting(.readable) : watch.interest
        var event = epoll_event(events: interest.epoll, data: epoll_data_t(u64: key))
        epoll_ctl(epoll, operation, descriptor, &event)
    }
}
