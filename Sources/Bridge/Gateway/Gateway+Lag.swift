internal import BlueZ
internal import EventLoop
internal import Log
internal import MQTT

/// When more comes than the broker takes.
///
/// The bus keeps what is not read, and the sockets of `notify: descriptor` some, so they are not read while the broker is
/// behind: nothing is lost, and memory stays bounded. A broker that stands still holds nobody up; the client has room for
/// what comes in the meantime. Where values would become too old, all is read, and of each state only the newest is sent.
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

    /// Looks each second how it goes; `isSteady`: the broker has taken something in the last one.
    private func watchLag(isSteady: Bool = false) {
        guard let client = outlet?.client else { return }
        let before = client.statistics.sent
        lagWatch?.cancel()
        lagWatch = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { gateway in
                let statistics = client.statistics
                let rate = statistics.sent - before
                gateway.lag.look(at: gateway.loop.now)
                let isSlow = isSteady && Lag.isTooLong(for: statistics.waiting, at: rate)
                if gateway.lag.isTooLong || isSlow { return gateway.skipToNewest() }
                gateway.loop.holdsBack = rate > 0
                gateway.watchLag(isSteady: rate > 0)
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
