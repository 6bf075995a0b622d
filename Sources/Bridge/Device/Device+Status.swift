internal import BlueZ
internal import Configuration
internal import EventLoop
internal import JSON
internal import MQTT

/// What the retained topics say of the device.
extension Device {
    /// Publishes what has changed of the connection and the availability.
    func publishStatus() {
        publish(connectionStatus)
        let judgement = judgement
        judgeAgain(at: judgement.until)
        let availability = judgement.availability
        for publication in publications { publication.isDeviceAvailable = availability.isAvailable }
        if availability != publishedAvailability {
            publishedAvailability = availability
            publish(availability.json, "availability")
        }
    }

    private var judgement: Presence.Judgement {
        if plan.connect == .never, let listener {
            return presence.judge(
                session, lastHeard: listener.lastHeard, deadline: listener.deadline, at: loop.now)
        }
        return presence.judge(
            session, plan, next: nextOverdue, obstacle: session.isWaitingForSlot ? slotReason : nil, at: loop.now)
    }

    /// The value that is overdue, or will be first.
    private var nextOverdue: Presence.Overdue? {
        var next: Presence.Overdue?
        for channel in channels {
            guard let deadline = channel.rhythm.deadline, deadline < next?.deadline ?? Instant(nanoseconds: .max) else {
                continue
            }
            next = Presence.Overdue(name: channel.name, deadline: deadline)
        }
        return next
    }

    /// Judges the device anew at a moment, if nothing happens before.
    private func judgeAgain(at moment: Instant?) {
        // A deadline that moves on with each value is looked at when it was due first.
        if let timer = judgementTimer, let moment, timer.due <= moment { return }
        judgementTimer?.cancel()
        judgementTimer = moment.map { moment in
            loop.schedule(after: moment - loop.now) { [weak self] in self?.assumeIsolated { $0.judgementDue() } }
        }
    }

    private func judgementDue() {
        judgementTimer = nil
        publishStatus()
    }

    func publish(_ connection: ConnectionStatus) {
        guard connection != publishedConnection else { return }
        publishedConnection = connection
        connectionTime = loop.timestamp
        publish(connection.json(at: connectionTime), "connection")
    }

    /// Publishes everything again, for a broker that may have forgotten it.
    func republish() {
        publishInfo()
        publishedAvailability = nil
        if let publishedConnection { publish(publishedConnection.json(at: connectionTime), "connection") }
        publishStatus()
    }

    var connectionStatus: ConnectionStatus {
        let state: ConnectionStatus.State =
            switch session.phase {
            case .idle: session.isWaiting ? .waiting : .disconnected
            case .seeking: .waiting
            case .pairing: .connecting
            case .connecting: session.isWaitingForSlot ? .waiting : .connecting
            case .discovering: .discovering
            case .ready: .connected
            case .ending: .disconnecting
            }
        var status = ConnectionStatus(state: state)
        if state != .connected {
            status.reason = session.isWaitingForSlot ? slotReason : session.explanation
            status.until = session.isPaused ? pauseEnd : nil
            status.attempts = session.attempts > 0 ? session.attempts : nil
            if plan.connect == .never, let strength = listener?.strength {
                (status.adapter, status.rssi) = (strength.adapter, strength.rssi)
            }
        } else if let peripheral {
            (status.adapter, status.rssi) = peripheral.assumeIsolated { ($0.adapterName, $0.rssi) }
            status.mtu = channels.lazy.compactMap { $0.characteristic?.maximumTransmissionUnit }.first
        }
        return status
    }

    /// What the gateway's health says of the device.
    var health: JSON {
        let heard = peripheral?.assumeIsolated { $0.lastHeard }
        let last = [heard, history.lastHeard].compactMap { $0 }.max()
        return history.json(
            lastSeen: last.map { instant in
                Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - instant).nanoseconds / 1_000_000)
            })
    }

    /// What the device offers, for people and programs that look around.
    func publishInfo() {
        let characteristics = channels.map { channel -> (String, JSON) in
            (channel.name, channel.info)
        }
        var info: JSON.Object = ["name": .string(name), "address": .string("\(configuration.address)")]
        let known = peripheral?.assumeIsolated { $0.identity }
        if let known { info["identity"] = .string("\(known)") }
        let offer: JSON.Object = ["characteristics": .object(JSON.Object(characteristics))]
        publish(.object(info.adding(identity.info).adding(offer).adding(advertisedInfo)), "info")
    }

    /// Tells what the device has said of itself: several things, which are read one after the other.
    func tellIdentity() {
        guard identityTimer == nil else { return }
        identityTimer = loop.schedule(after: .seconds(1)) { [weak self] in self?.assumeIsolated { $0.identityKnown() } }
    }

    private func identityKnown() {
        identityTimer = nil
        publishInfo()
        identityChanged()
    }

    /// What the broker keeps of the device.
    var retainedTopics: [Topic] {
        let readings = publications.filter(\.isRetained).map(\.name)
        return (["connection", "availability", "info"] + readings).compactMap { try? outlet.topics.device(name, $0) }
    }

    private func publish(_ json: JSON, _ name: String) {
        do throws(TopicError) {
            outlet.state(json, on: try outlet.topics.device(self.name, name))
        } catch {
            preconditionFailure("the topics of \(self.name) were checked when it was made: \(error)")
        }
    }
}
