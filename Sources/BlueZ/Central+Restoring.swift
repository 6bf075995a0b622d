package import Bluetooth
internal import DBus
internal import EventLoop

/// The counterpart of Core Bluetooth's state preservation and restoration.
extension Central {
    /// What another run of the program should know of the peripherals, in the order of their addresses.
    package var knownPeripherals: [KnownPeripheral] {
        let present = peripherals.values.map { peripheral in
            peripheral.assumeIsolated { $0.known(adapter: $0.adapterPath.flatMap { adapters[$0]?.address }) }
        }
        let abandoned = abandoned.map {
            KnownPeripheral(address: $0, adapter: nil, name: nil, lastHeard: nil, isConnected: true)
        }
        return (present + abandoned).sorted { $0.address < $1.address }
    }

    /// Takes up what an earlier run has left; to be called before `start`.
    ///
    /// Links that are still up are found as they are, and connecting to their peripherals takes no time. Those that
    /// nobody wants any more are ended.
    ///
    /// - Parameters:
    ///   - peripherals: those that are still of interest.
    ///   - links: those of them whose links are of use.
    package func restore(_ known: [KnownPeripheral], of peripherals: Set<Address>, links: Set<Address>) {
        for known in known {
            if peripherals.contains(known.address) {
                peripheral(at: known.address).assumeIsolated { $0.restore(known) }
                if let identity = known.identity { identities[identity] = known.address }
            }
            if known.isConnected && !links.contains(known.address) {
                abandoned.insert(known.identity ?? known.address)
            }
        }
    }

    /// Calls `handler`, on the loop, whenever a link has come up or gone down: what `knownPeripherals` says has changed.
    package func onLinkChange(_ handler: @escaping @Sendable () -> Void) {
        linkHandler = handler
    }

    /// Ends the link of a peripheral that nobody wants any more, if it is up.
    func endIfAbandoned(_ address: Address, at path: String, _ properties: [String: Variant]) {
        guard abandoned.remove(address) != nil, properties["Connected"]?.boolean == true, let connection else { return }
        Task(executorPreference: loop.tasks) { await self.disconnect(path, connection) }
    }
}

extension Peripheral {
    fileprivate func known(adapter: Address?) -> KnownPeripheral {
        let now = loop.timestamp
        // A link says as much as an advertisement.
        let heard = isConnected ? .zero : lastHeard.map { loop.now - $0 }
        return KnownPeripheral(
            address: address, identity: identity, adapter: adapter, name: name,
            lastHeard: heard.map { Timestamp(milliseconds: now.milliseconds - $0.nanoseconds / 1_000_000) },
            isConnected: isConnected)
    }

    fileprivate func restore(_ known: KnownPeripheral) {
        name = known.name
        identity = known.identity
        // A clock that was wrong then, or is now, must not make it heard in the future.
        guard let heard = known.lastHeard, heard <= loop.timestamp else { return }
        lastHeard = loop.now + .milliseconds(heard.milliseconds - loop.timestamp.milliseconds)
    }
}
