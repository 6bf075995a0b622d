internal import BlueZ
package import Configuration
internal import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// Another configuration, of which only what is different has an effect.
extension Gateway {
    /// Takes over another configuration; returns when everything is as it says.
    package func reload(_ configuration: Configuration) async {
        await changed { gateway in
            do throws(GatewayError) {
                _ = try await gateway.take(configuration)
            } catch {
                gateway.log.always.error("the old configuration stays: \(error)")
            }
        }
    }

    /// Reads the file again, where it is in one, and returns when everything is as it says; the log says what is wrong
    /// with it.
    package func reload() async {
        await changed { _ = try? await $0.readAgain() }
    }

    private func changed(_ body: @escaping @Sendable (isolated Gateway) async -> Void) async {
        await withCheckedContinuation { continuation in
            change { gateway in
                await body(gateway)
                continuation.resume()
            }
        }
    }

    /// Reads the file again; one with mistakes changes nothing.
    func readAgain() async throws(RequestError) -> JSON {
        guard let source else {
            throw RequestError(.notSupported, "the configuration of this gateway is in no file")
        }
        do {
            let difference = try await take(try source())
            log.always.info("the configuration was read again")
            return difference.json
        } catch let error as ConfigurationError {
            for mistake in error.mistakes { log.always.error(mistake.description) }
            log.always.error("the old configuration stays")
            throw RequestError(.invalidValue, "the file has mistakes, and nothing was changed:\n\(error)")
        } catch {
            log.always.error("the old configuration stays: \(error)")
            throw RequestError(.failed, "nothing was changed: \(error)")
        }
    }

    private func take(_ configuration: Configuration) async throws(GatewayError) -> Difference {
        guard let outlet else { return Difference() }
        let old = self.configuration
        // First what may fail: nothing has changed then.
        let newOutlet = configuration.needsOtherOutlet(than: old) ? try makeOutlet(configuration) : nil
        self.configuration = configuration
        if configuration.logLevel != old.logLevel { Log.level = configuration.logLevel.level }
        if configuration.stateDirectory != old.stateDirectory {
            log.always.warning("state_directory: the change takes effect after a restart")
        }
        if configuration.bluetooth.notifications != old.bluetooth.notifications {
            // bluetoothd keeps what was subscribed to by signals for as long as we are on the bus.
            log.always.warning("bluetooth: notify: the change takes effect after a restart")
        }
        if configuration.bluetooth != old.bluetooth {
            loop.moderation = configuration.bluetooth.moderation
            await central.use(configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity)
        }
        if configuration.fleet != old.fleet { searchForFleet() }
        if let newOutlet {
            await move(
                to: newOutlet, from: outlet, isSameBroker: configuration.broker.endpoint == old.broker.endpoint)
        } else if configuration.homeAssistantStatus != old.homeAssistantStatus {
            if let status = old.homeAssistantStatus { outlet.client.unsubscribe(from: TopicFilter(status)) }
            if let status = configuration.homeAssistantStatus { outlet.client.subscribe(to: TopicFilter(status)) }
        }
        return await settleDevices()
    }

    /// Talks to the broker in another way, or to another one; the links to the devices stay as they are.
    private func move(to new: Outlet, from old: Outlet, isSameBroker: Bool) async {
        // From here on everything waits for the new connection.
        outlet = new
        formerOutlets.append(old)
        requestFilters = []
        rivalry = Rivalry()
        // The line that was too long is no longer ours.
        brokerCaughtUp()
        moveDevices(to: new)
        if isSameBroker {
            let unsent = await close(old, farewell: try? stateMessage("offline", old))
            for unsent in unsent {
                if let fallback = unsent.fallback {
                    new.client.publish(unsent.message, orElse: fallback)
                } else {
                    new.client.publish(unsent.message, keeping: .each)
                }
            }
        } else {
            leave(old)
        }
        listen(new)
        new.client.start()
    }

    /// Takes leave of a broker: whoever asked there is answered, and nothing is left behind that is no longer true.
    private func leave(_ old: Outlet) {
        old.client.unsubscribeFromAll()
        giveUpRequests(for: .work, because: Self.departureReason)
        for device in devices.values { device.assumeIsolated { $0.giveUpCommands(.failed, Self.departureReason) } }
        if let farewell = try? stateMessage("offline", old) { old.client.publish(farewell, keeping: .each) }
        for topic in retained.topics.gone(in: RetainedTopics()) { clear(topic, old) }
        retained.save(RetainedTopics())
        // The changes that were asked for there, this one too, are answered before.
        change { gateway in await gateway.close(old) }
    }

    @discardableResult
    private func close(_ old: Outlet, farewell: Message? = nil) async -> [Client.Unsent] {
        let unsent = await old.client.close(within: .seconds(2), farewell: farewell)
        formerOutlets.removeAll { $0.number == old.number }
        return unsent
    }

    private func moveDevices(to outlet: Outlet) {
        for device in devices.values { device.assumeIsolated { $0.move(to: outlet) } }
    }
}
