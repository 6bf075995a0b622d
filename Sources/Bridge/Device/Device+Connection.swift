import Contract
import Survey
import Devices
import BlueZ
import Bluetooth
import Configuration
import EventLoop
import JSON
import Log
import System

/// Performs the actions of the session; most operations report their result as an event.
extension Device {
    func perform(_ action: SessionAction) {
        switch action {
        case .seek: seek()
        case .stopSeeking: callCentral { await $0.stopScanning(for: $1) }
        case .connect: connect()
        case .pair: pair()
        case .forgetBond: forgetBond()
        case .discover: discover()
        case .clearCache: clearCache()
        case .reportMissing(let names): reportMissing(names)
        case .subscribe(let name): subscribe(name)
        case .reportSubscription(let name, let reason): reportSubscription(name, reason)
        case .read(let name): read(name)
        case .executeCommands: executeNext()
        case .end: end()
        case .collected(let missing, let cause): collectingEnded(missing: missing, brokenOff: cause)
        // The delay is randomized, so that devices that failed at the same time do not retry at the same time.
        case .schedule(.retry, let delay): schedule(.session(.retry), after: delay * Double.random(in: 0.75...1.25))
        case .schedule(let timer, let delay): schedule(.session(timer), after: delay)
        case .cancel(let timer): cancel(.session(timer))
        }
    }

    /// Calls the central with the device's peripheral in a new task; does nothing before the device is started.
    func callCentral(_ body: @escaping @Sendable (Central, Peripheral) async -> Void) {
        guard let peripheral else { return }
        spawn { await body($0.central, peripheral) }
    }

    /// Passes the session's priority to the central, which assigns connection slots by priority.
    func reportPriority() {
        callCentral { [priority = session.priority] in await $0.setPriority(priority, of: $1) }
    }

    // MARK: Connecting

    /// The maximum age of an advertisement that allows connecting before the next advertisement.
    private static let freshness = Duration.seconds(30)

    private func seek() {
        startNewConnection()
        runOperation { device, peripheral in
            await device.central.startScanning(for: peripheral)
            if let obstacle = await device.central.obstacle(to: peripheral) { return .obstructed(reason: obstacle) }
            // Otherwise `PeripheralEvent.advertised` reports the device.
            return await peripheral.isReachable(within: Self.freshness) ? .found : nil
        }
    }

    private func connect() {
        runOperation { [priority = session.priority] device, peripheral in
            do throws(CentralError) {
                try await device.central.connect(peripheral, priority: priority)
                return .connected
            } catch  where error.code == .bondLost {
                device.reportBondLoss(error.message)
                return .bondLost(reason: error.message)
            } catch {
                return .connectFailed(reason: error.message)
            }
        }
    }

    // MARK: Services

    private func discover() {
        let services = Set(bindings.compactMap(\.configuration.service))
        let everyServiceIsConfigured = bindings.allSatisfy { $0.configuration.service != nil }
        runOperation { device, peripheral in
            do throws(CentralError) {
                // A characteristic that is configured without its service may be in any service.
                let wanted = everyServiceIsConfigured ? Array(services) : nil
                let found = try await peripheral.discoverServices(wanted)
                let present = device.bindCharacteristics(of: found)
                try await device.readFormats(peripheral)
                return .discovered(present: present)
            } catch {
                return .discoveryFailed(reason: error.message)
            }
        }
    }

    /// Binds the configured characteristics to the discovered ones; returns the names of all bound characteristics.
    private func bindCharacteristics(of services: [BlueZ.Service]) -> Set<String> {
        var present: Set<String> = []
        let known = bindings.map(\.properties)
        for binding in bindings {
            let wanted = binding.configuration
            let characteristic = services.lazy
                .filter { wanted.service == nil || $0.uuid == wanted.service }
                .flatMap(\.characteristics).filter { $0.uuid == wanted.uuid }.dropFirst(wanted.instance - 1).first
            binding.bind(to: characteristic)
            if characteristic != nil { present.insert(wanted.name) }
        }
        if bindings.map(\.properties) != known {
            publishInfo()
            for (binding, properties) in zip(bindings, known) where binding.properties != properties {
                warnOfUnavailable(binding)
            }
        }
        return present
    }

    /// Logs a warning for each configured use that the device does not support.
    private func warnOfUnavailable(_ binding: CharacteristicBinding) {
        guard let properties = binding.properties else { return }
        for sentence in binding.configuration.unavailable(in: properties) {
            log.warning(sentence, ["characteristic": binding.name, "flags": properties.flags.joined(separator: " ")])
        }
    }

    /// Reads the formats that neither the configuration nor the SIG defines from the descriptors 2904, 2901 and 2906.
    ///
    /// - Throws: `CentralError` if the connection ends or the services change.
    private func readFormats(_ peripheral: Peripheral) async throws(CentralError) {
        var isAnyNew = false
        for binding in bindings where binding.format == nil {
            guard let characteristic = binding.characteristic,
                let format = try await Inspection.Finding.format(of: characteristic, of: peripheral)
            else { continue }
            binding.describe(format)
            isAnyNew = true
        }
        if isAnyNew { publishIdentitySoon() }
    }

    private func clearCache() {
        log.info("characteristics are missing: clearing bluetoothd's cache of the device and connecting again")
        runOperation { device, peripheral in
            do throws(CentralError) {
                try await device.central.clearCache(of: peripheral)
            } catch {
                device.log.warning(error.message)
            }
            return .ended
        }
    }

    private func reportMissing(_ names: [String]) {
        for binding in bindings where names.contains(binding.name) {
            let wanted = binding.configuration
            let place = wanted.service.map { "\($0)/\(wanted.uuid)" } ?? "\(wanted.uuid)"
            log.warning("the device has no characteristic \(place)", ["characteristic": wanted.name])
            publisher.publish(
                .characteristicMissing(device: name, characteristic: wanted.name, uuid: wanted.uuid),
                at: loop.timestamp)
        }
    }

    // MARK: Values

    private func subscribe(_ name: String) {
        guard let characteristic = binding(named: name)?.characteristic else { return }
        runOperation { device, peripheral in
            do throws(CentralError) {
                try await peripheral.setNotify(true, for: characteristic)
                return .subscribed(name)
            } catch {
                guard !error.resultsFromEnd else { return nil }
                let isFinal = error.code == .notSupported || error.code == .notPaired
                device.handleRejection(of: name, error)
                device.log.warning("cannot subscribe to \(name): \(error.message)")
                return error.indicatesStaleServices
                    ? .staleServices(name) : .subscribeFailed(name, isFinal: isFinal, reason: error.message)
            }
        }
    }

    private func reportSubscription(_ name: String, _ reason: String) {
        log.warning("connecting again: the subscription to \(name) fails repeatedly: \(reason)")
        publisher.publish(
            .subscribeFailed(device: self.name, characteristic: name, reason: reason), at: loop.timestamp)
    }

    /// Reads and publishes a value, and reports the result to the session.
    func read(_ name: String) {
        guard let characteristic = binding(named: name)?.characteristic else { return }
        runOperation { device, peripheral in
            do throws(CentralError) {
                let bytes = try await peripheral.readValue(of: characteristic)
                let reading = device.decode(read: bytes, of: name)
                return reading == nil ? .readFailed(name) : .obtained(name, isNotification: false)
            } catch {
                // The value remains due: it is read after the next connection or discovery.
                guard !error.resultsFromEnd else { return nil }
                device.handleRejection(of: name, error)
                device.log.warning("cannot read \(name): \(error.message)")
                return error.indicatesStaleServices ? .staleServices(name) : .readFailed(name)
            }
        }
    }

    // MARK: Disconnecting

    /// Cancels the subscriptions, then disconnects.
    private func end() {
        let bound = bindings.compactMap(\.characteristic)
        runOperation { device, peripheral in
            await peripheral.cancelOperations()
            for characteristic in bound where await peripheral.isNotifying(characteristic) {
                do throws(CentralError) {
                    try await peripheral.setNotify(false, for: characteristic)
                } catch {
                    device.log.debug("cannot cancel a subscription", ["reason": error.message])
                }
            }
            do throws(CentralError) {
                try await device.central.cancelConnection(peripheral)
            } catch {
                device.log.warning(error.message)
            }
            return .ended
        }
    }
}

extension CentralError {
    /// Whether the error only results from the end of the connection or services, which the session handles separately.
    fileprivate var resultsFromEnd: Bool { [.cancelled, .servicesChanged, .peripheralDisconnected].contains(code) }
}
