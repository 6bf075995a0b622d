import EventLoop

/// The bytes of all requests that have not been answered.
///
/// A request occupies about eight times its size until its response; without a limit, requests to absent devices could
/// fill the memory. Requests to absent devices wait for up to an hour: they must not take the space of requests to
/// other devices and to the gateway.
final class RequestAllowance: @unchecked Sendable {
    /// The maximum size of the payloads of all waiting requests to devices, in bytes; also of those to the gateway.
    static let limit = 1 << 20
    /// The maximum size of the payloads of all waiting requests to one device, in bytes.
    static let share = 128 << 10

    // Used only on the thread of the event loop.
    private var usedByGateway = 0
    private var usedByDevices: [String: Int] = [:]

    /// Reserves space for a request until the returned reservation is released.
    ///
    /// - Parameters:
    ///   - size: The size of the payload, in bytes.
    ///   - device: The name of the device; nil for a request to the gateway.
    /// - Returns: The reservation; nil if the other requests leave too little space.
    func reserve(_ size: Int, for device: String?) -> Reservation? {
        if let device {
            guard usedByDevices[device, default: 0] + size <= Self.share,
                usedByDevices.values.reduce(size, +) <= Self.limit
            else { return nil }
            usedByDevices[device, default: 0] += size
        } else {
            guard usedByGateway + size <= Self.limit else { return nil }
            usedByGateway += size
        }
        return Reservation(size, for: device, of: self)
    }

    /// Returns why no space was reserved for a request to a device; nil: to the gateway.
    static func refusal(of device: String?) -> String {
        let all = "\(limit >> 10) KiB for \(device == nil ? "the gateway" : "all devices")"
        let limits = device == nil ? all : "\(share >> 10) KiB for a device or \(all)"
        return "the waiting requests would exceed \(limits): try again later"
    }

    private func release(_ size: Int, of device: String?) {
        guard let device else {
            usedByGateway -= size
            return
        }
        let rest = usedByDevices[device, default: 0] - size
        usedByDevices[device] = rest > 0 ? rest : nil
    }

    /// The space of one request, which becomes free with the last reference.
    final class Reservation: Sendable {
        private let size: Int
        private let device: String?
        private let allowance: RequestAllowance

        fileprivate init(_ size: Int, for device: String?, of allowance: RequestAllowance) {
            self.size = size
            self.device = device
            self.allowance = allowance
        }

        deinit { allowance.release(size, of: device) }
    }
}
