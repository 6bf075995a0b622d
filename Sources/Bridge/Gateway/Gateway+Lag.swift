internal import BlueZ
internal import EventLoop
internal import Log
internal import MQTT

/// When more comes than the broker takes.
///
/// The bus keeps what is not read, so it is not read while the broker is behind: nothing is lost, and memory stays
/// bounded. A broker that stands still holds nobody up; the client has room for what comes in the meantime. Where what is
/// read has become too old, all of it is read at once, and of each state only the newest is sent.
extension Gateway {
    func brokerFellBehind() {
        if lag.ask(at: loop.now) { Task(executorPreference: loop.tasks) { await self.measureLag() } }
        lag.look(at: loop.now)
        if lag.isTooLong { return skipToNewest() }
        loop.holdsBack = true
        watchLag()
    }

    func brokerCaughtUp() {
        lagWatch?.cancel()
        lagWatch = nil
        loop.holdsBack = false
    }

    private func skipToNewest() {
        outlet?.client.skipToNewest()
        brokerCaughtUp()
    }

    private func watchLag() {
        guard let client = outlet?.client else { return }
        let sent = client.statistics.sent
        lagWatch?.cancel()
        lagWatch = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { gateway in
                gateway.lag.look(at: gateway.loop.now)
                if gateway.lag.isTooLong { return gateway.skipToNewest() }
                gateway.loop.holdsBack = client.statistics.sent != sent
                gateway.watchLag()
            }
        }
    }

    private func measureLag() async {
        repeat { await central.catchUp() } while lag.answered(at: loop.now)
    }

    /// Tells when what is read has become too old, and when it is new again.
    func lagChanged(from wasTooLong: Bool) {
        guard lag.isTooLong != wasTooLong else { return }
        if lag.isTooLong {
            log.warning("the broker takes less than comes: of each state only the newest is sent")
        } else {
            log.info("the broker takes all that comes again")
        }
    }
}
