import Devices
import Contract
import EventLoop
import JSON
import System

/// The commands of the device: acceptance, and the actions of the command queue.
extension Device {
    /// Executes, queues or rejects a command.
    ///
    /// The client receives a response in each case.
    func accept(_ command: DeviceCommand, timeToLive: Duration, reply: ReplyAddress) {
        do throws(RequestError) {
            try check(command)
        } catch {
            return publisher.respond(.failure(error), to: reply)
        }
        switch command {
        case .rssi: publisher.respond(signalStrength, to: reply)
        case .disconnect(let pause): disconnect(for: pause, timeToLive: timeToLive, reply)
        case .read, .set, .write, .subscribe, .connect, .collect, .discover, .inspect, .pair:
            handleCommands(.received(command, reply, timeToLive: timeToLive))
        }
    }

    /// Performs an action of the command queue.
    func perform(_ action: CommandQueue<ReplyAddress>.Action) {
        switch action {
        case .respond(let reply, let result): publisher.respond(result, to: reply)
        case .execute(let command, let token): execute(command, token)
        case .executeNext: executeNext()
        case .scheduleExpiry(let identifier, let delay): schedule(.command(identifier), after: delay)
        case .cancelExpiry(let identifier): cancel(.command(identifier))
        case .process(let event): process(event)
        case .pairRequested(let passkey):
            bond.answer(passkey)
            expectBond()
        case .pairEnded:
            bond.requestEnded()
            expectBond()
        }
    }

    /// Executes the next command if the connection is ready.
    func executeNext() {
        guard session.phase == .ready else { return }
        handleCommands(.ready)
    }

    private func execute(_ command: DeviceCommand, _ token: OperationToken) {
        spawn { device in
            let outcome = await device.outcome(of: command)
            device.handleCommands(.executed(token, outcome))
            // A command that was refused before the bond was made is executed again on the same connection.
            if !command.isPair { device.executeNext() }
        }
    }

    func failPairCommands(_ error: RequestError) {
        handleCommands(.pairingFailed(error))
    }
}
