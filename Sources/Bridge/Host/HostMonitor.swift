import Contract
import EventLoop
import Glibc
import Log
import System

/// Reports failures of what the gateway needs of its machine, and their end.
///
/// A failure is known from a failed access, and is checked again each minute until the resource can be used.
final class HostMonitor: LoopPart {
    static let interval = Duration.seconds(60)
    /// The number of file descriptors below which there are too few: a reconnection of the broker and the bus needs some.
    private static let spareDescriptors = 4

    let loop: EventLoop
    private let stateFolder: String
    private let publish: (GatewayEvent) -> Void
    private let descriptors: () -> FileDescriptorUsage
    private let log = Log("gateway")
    /// The resources that fail now, and the reasons.
    private var failures: [HostResource: String] = [:]
    private var timer: Timer?

    /// - Parameters:
    ///   - stateFolder: the path of the state folder.
    ///   - loop: the event loop of the gateway.
    ///   - descriptors: returns the use of the file descriptors.
    ///   - publish: publishes an event.
    init(
        stateFolder: String, loop: EventLoop,
        descriptors: @escaping () -> FileDescriptorUsage = { .current },
        publish: @escaping (GatewayEvent) -> Void
    ) {
        self.stateFolder = stateFolder
        self.loop = loop
        self.descriptors = descriptors
        self.publish = publish
    }

    /// Publishes the failures that are known, which occurred before there was a publisher, and begins to check.
    func start() {
        for (resource, reason) in failures { publish(.hostFailed(resource, reason: reason)) }
        check()
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    /// Notes the failures of the files in the state folder.
    var stateObserver: StateFile.Observer {
        { [weak self] error in self?.failed(.stateFolder, error.description) }
    }

    private func failed(_ resource: HostResource, _ reason: String) {
        guard failures.updateValue(reason, forKey: resource) == nil else { return }
        log.always.error("\(resource.name): \(reason)")
        publish(.hostFailed(resource, reason: reason))
    }

    private func recovered(_ resource: HostResource) {
        guard failures.removeValue(forKey: resource) != nil else { return }
        log.always.info("\(resource.name): available again")
        publish(.hostRecovered(resource))
    }

    private func check() {
        checkDescriptors()
        // Without a failure, nothing is written: a memory card has a limited number of writes.
        if failures[.stateFolder] != nil, isFolderWritable { recovered(.stateFolder) }
        timer = after(Self.interval) { $0.check() }
    }

    private func checkDescriptors() {
        let usage = descriptors()
        if usage.limit - usage.used < Self.spareDescriptors {
            failed(
                .fileDescriptors,
                "\(usage.used) of \(usage.limit) file descriptors are in use: increase LimitNOFILE of the service")
        } else {
            recovered(.fileDescriptors)
        }
    }

    /// Whether a small file can be written and replaced.
    private var isFolderWritable: Bool {
        let path = "\(stateFolder)/probe"
        do throws(SystemError) {
            try PrivateFile.write("bluefleet\n", to: path, isSynced: true)
        } catch {
            _ = unsafe unlink(path)
            return false
        }
        return unsafe unlink(path) == 0
    }
}

extension HostResource {
    /// The resource in the log.
    fileprivate var name: String {
        switch self {
        case .stateFolder: "the state folder"
        case .fileDescriptors: "file descriptors"
        }
    }
}
