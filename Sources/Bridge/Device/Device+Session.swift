internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// What the session wants done, done; the outcome comes back as an event.
extension Device {
    func perform(_ action: SessionAction) {
        switch action {
        case .seek: seek()
        case .stopSeeking: onCentral { await $0.stopSeeking($1) }
        case .connect: connect()
        case .pair: pair()
        case .forgetBond: forgetBond()
        case .discover: discover()
        case .clearCache: clearCache()
        case .reportMissing(let names): reportMissing(names)
        case .subscribe(let name): subscribe(name)
        case .read(let name): read(name)
        case .serve: serve()
        case .end: end()
        case .collected(let missing, let cause): collectingEnded(missing: missing, brokenOff: cause)
        case .schedule(let timer, let delay): schedule(timer, after: delay)
        case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
        }
    }

    private func schedule(_ timer: SessionTimer, after delay: Duration) {
        timers[timer]?.cancel()
        // Retries are spread, so that devices that failed together do not come back together.
        let delay = timer == .retry ? delay * Double.random(in: 0.75...1.25) : delay
        timers[timer] = loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.fired(timer) } }
    }

    private func fired(_ timer: SessionTimer) {
        timers[timer] = nil
        process(.timerFired(timer))
    }

    func onCentral(_ body: @escaping @Sendable (Central, Peripheral) async -> Void) {
        guard let peripheral else { return }
        Task(executorPreference: loop.tasks) { [central] in await body(central, peripheral) }
    }

    /// Carries out an operation on the link; its outcome counts only while the link is the same.
    func onLink(
        _ operation: @escaping @Sendable (Device, Peripheral) async -> SessionEvent?
    ) {
        guard let peripheral else { return }
        let generation = generation
        Task(executorPreference: loop.tasks) {
            if let event = await operation(self, peripheral) {
                await self.operationEnded(event, of: generation)
            }
        }
    }

    private func operationEnded(_ event: SessionEvent, of generation: Int) {
        if generation == self.generation { process(event) }
    }

    // MARK: The link

    /// How fresh a sighting must be to connect without waiting for the next one.
    private static let freshness = Duration.seconds(30)

    private func seek() {
        generation += 1
        onLink { device, peripheral in
            await device.central.seek(peripheral)
            if let obstacle = await device.central.obstacle(to: peripheral) { return .obstructed(reason: obstacle) }
            // One that is not reachable is found when it is heard.
            return await peripheral.isReachable(within: Self.freshness) ? .found : nil
        }
    }

    private func connect() {
        onLink { [priority = session.priority] device, peripheral in
            do throws(CentralError) {
                try await device.central.connect(peripheral, priority: priority)
                return .connected
            } catch  where error.code == .bondLost {
                await device.bondLost(error.message)
                return .bondLost(reason: error.message)
            } catch {
                return .connectFailed(reason: error.message)
            }
        }
    }

    private func discover() {
        let services = Set(channels.compactMap(\.configuration.service))
        let everyServiceIsKnown = channels.allSatisfy { $0.configuration.service != nil }
        onLink { device, peripheral in
            do throws(CentralError) {
                // A characteristic without its service may be in any of them.
                let wanted = everyServiceIsKnown ? Array(services) : nil
                let found = try await peripheral.discoverServices(wanted)
                let present = await device.locate(found)
                try await device.askForFormats(peripheral)
                return .discovered(present: present)
            } catch {
                return .discoveryFailed(reason: error.message)
            }
        }
    }

    /// Finds the configured characteristics among those of the device.
    private func locate(_ services: [BlueZ.Service]) -> Set<String> {
        var present: Set<String> = []
        let known = channels.map(\.abilities)
        for channel in channels {
            let wanted = channel.configuration
            let characteristic = services.lazy
                .filter { wanted.service == nil || $0.uuid == wanted.service }
                .flatMap(\.characteristics).filter { $0.uuid == wanted.uuid }.dropFirst(wanted.instance - 1).first
            channel.characteristic = characteristic
            if characteristic != nil { present.insert(wanted.name) }
        }
        if channels.map(\.abilities) != known {
            publishInfo()
            for (channel, abilities) in zip(channels, known) where channel.abilities != abilities { compare(channel) }
        }
        return present
    }

    /// Warns of what is configured that the device does not do.
    private func compare(_ channel: Channel) {
        guard let abilities = channel.abilities else { return }
        for sentence in channel.configuration.unavailable(in: abilities) {
            log.warning(sentence, ["characteristic": channel.name, "flags": abilities.flags.joined(separator: " ")])
        }
    }

    private func clearCache() {
        log.info("not everything is there: looking again without what bluetoothd remembers of the device")
        onLink { device, peripheral in
            do throws(CentralError) {
                try await device.central.clearCache(of: peripheral)
            } catch {
                device.log.warning(error.message)
            }
            return .ended
        }
    }

    private func reportMissing(_ names: [String]) {
        for channel in channels where names.contains(channel.name) {
            let wanted = channel.configuration
            let place = wanted.service.map { "\($0)/\(wanted.uuid)" } ?? "\(wanted.uuid)"
            log.warning("the device has no characteristic \(place)", ["characteristic": wanted.name])
            outlet.announce(
                "characteristic_missing", device: name,
                ["characteristic": .string(wanted.name), "uuid": .string("\(wanted.uuid)")], at: loop.timestamp)
        }
    }

    /// Cancels the subscriptions, then the link.
    private func end() {
        let subscribed = channels.compactMap(\.characteristic)
        onLink { device, peripheral in
            await peripheral.cancelOperations()
            for characteristic in subscribed where await peripheral.isNotifying(characteristic) {
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

    // MARK: Values

    private func subscribe(_ name: String) {
        guard let characteristic = channel(named: name)?.characteristic else { return }
        onLink { device, peripheral in
            do throws(CentralError) {
                try await peripheral.setNotify(true, for: characteristic)
                return nil
            } catch {
                guard !error.isOfAnEnd else { return nil }
                let isFinal = error.code == .notSupported || error.code == .notPaired
                await device.refused(name, error)
                device.log.warning("cannot subscribe to \(name): \(error.message)")
                return error.isOfStaleServices ? .staleServices(name) : .subscribeFailed(name, isFinal: isFinal)
            }
        }
    }

    /// Reads a value on behalf of nobody in particular.
    func read(_ name: String) {
        guard let characteristic = channel(named: name)?.characteristic else { return }
        onLink { device, peripheral in
            do throws(CentralError) {
                let bytes = try await peripheral.readValue(of: characteristic)
                let reading = await device.decoded(bytes, of: name)
                return reading == nil ? .readFailed(name) : .obtained(name, isNotification: false)
            } catch {
                // It is due still, and is read when the link or the services are back.
                guard !error.isOfAnEnd else { return nil }
                await device.refused(name, error)
                device.log.warning("cannot read \(name): \(error.message)")
                return error.isOfStaleServices ? .staleServices(name) : .readFailed(name)
            }
        }
    }

    func channel(named name: String) -> Channel? {
        channels.first { $0.name == name }
    }
}

extension CentralError {
    /// It says only what has ended, and something else goes on.
    fileprivate var isOfAnEnd: Bool { [.cancelled, .servicesChanged, .peripheralDisconnected].contains(code) }
}
