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
        lag.isBrokerBehind = true
        lag.look(at: loop.now)
        if lag.isTooLong { return skipToNewest() }
        holdBack()
        if lagWatch == nil { watchLag() }
    }

    func brokerCaughtUp() {
        lag.isBrokerBehind = false
        loop.holdsBack = false
    }

    private func holdBack() {
        loop.holdsBack = true
        if lag.ask(at: loop.now) { Task(executorPreference: loop.tasks) { await self.measureLag() } }
    }

    private func skipToNewest() {
        outlet?.client.skipToNewest()
        brokerCaughtUp()
    }

    /// Looks each second how it goes, until all goes well.
    private func watchLag() {
        guard let client = outlet?.client else { return }
        let before = client.statistics.sent
        lagWatch = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { gateway in
                let statistics = client.statistics
                gateway.lagWatch = nil
                gateway.secondPassed(taken: statistics.sent - before, waiting: statistics.waiting)
            }
        }
    }

    private func secondPassed(taken: Int, waiting: Int) {
        lag.look(at: loop.now)
        lag.secondPassed(taken: taken, waiting: waiting)
        guard lag.isBrokerBehind else { return }
        if lag.isTooLong || lag.isBrokerSlow { return skipToNewest() }
        if taken > 0 { holdBack() } else { loop.holdsBack = false }
        watchLag()
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
