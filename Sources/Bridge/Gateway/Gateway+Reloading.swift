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
        await changed { _ = await $0.take(configuration) }
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
        do throws(ConfigurationError) {
            let difference = await take(try source())
            log.info("the configuration was read again")
            return difference.json
        } catch {
            for mistake in error.mistakes { log.error(mistake.description) }
            log.error("mistakes in the file: the old configuration stays")
            throw RequestError(.invalidValue, "the file has mistakes, and nothing was changed:\n\(error)")
        }
    }

    private func take(_ configuration: Configuration) async -> Difference {
        guard let outlet else { return Difference() }
        let status = homeAssistantStatus()
        if configuration.logLevel != self.configuration.logLevel { Log.level = configuration.logLevel.level }
        for section in configuration.sectionsForTheStart(since: self.configuration) {
            log.warning("\(section): the change takes effect after a restart")
        }
        let rules = self.configuration.fleet
        self.configuration = configuration
        if configuration.fleet != rules { searchForFleet() }
        if status != homeAssistantStatus() {
            if let status { outlet.client.unsubscribe(from: TopicFilter(status)) }
            if let status = homeAssistantStatus() { outlet.client.subscribe(to: TopicFilter(status)) }
        }
        return await settleDevices()
    }
}
