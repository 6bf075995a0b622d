/// The bounds of what a gateway accepts from other gateways: a payload beyond one of them is ignored.
package enum FleetLimits {
    /// The greatest length of a payload in bytes.
    package static let payload = 1 << 20
    /// The length in a payload of what grows with the number of devices, in bytes; more of it is in further payloads.
    ///
    /// The rest of a payload, such as its requests, is smaller than 512 KiB.
    package static let portion = 256 << 10
    /// The number of devices in each member of a payload.
    package static let devices = 10_000
    /// The number of formats of encrypted advertisements of a device.
    package static let formats = 16
    /// The number of gateways in a decision.
    package static let gateways = 500
    /// The number of processes that may have executed a request: if there are more than gateways, one of them is gone.
    package static let doubtedProcesses = gateways + 1
    /// The number of requests in each member of a payload.
    package static let requests = 2_000
    /// The size of all requests that a gateway keeps, in bytes: a quarter of a payload.
    package static let requestBytes = 256 << 10
    /// The greatest length of the name of a device, a gateway, a process or a request, in bytes.
    package static let name = 512
    /// The greatest epoch, rank or number.
    ///
    /// A gateway adds 1 to the greatest epoch that it has received: the sum must be a valid epoch for centuries.
    package static let number = 1 << 48
}
