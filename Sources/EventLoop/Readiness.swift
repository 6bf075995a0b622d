import CLinux

/// The operations that a descriptor is ready for, or that the loop waits for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The other end is closed; reported for every watch.
    package static let hangUp = Readiness(rawValue: 4)
    /// The descriptor failed; reported for every watch.
    package static let error = Readiness(rawValue: 8)

    init(epoll: UInt32) {
        var readiness: Readiness = []
        if epoll & bluefleet_EPOLLIN != 0 { readiness.insert(.readable) }
        if epoll & bluefleet_EPOLLOUT != 0 { readiness.insert(.writable) }
        if epoll & bluefleet_EPOLLHUP != 0 { readiness.insert(.hangUp) }
        if epoll & bluefleet_EPOLLERR != 0 { readiness.insert(.error) }
        self = readiness
    }

    var epoll: UInt32 {
        (contains(.readable) ? bluefleet_EPOLLIN : 0) | (contains(.writable) ? bluefleet_EPOLLOUT : 0)
    }
}
