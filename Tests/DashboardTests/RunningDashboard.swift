import Foundation
import JSON
import System
import TestSupport

/// The built program, run as a process with a broker.
final class RunningDashboard {
    /// The path of the program, in the folder of the test bundle.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("bluefleet-dashboard").path

    let folder: TemporaryFolder
    let port: UInt16
    private let command: Command
    private let brokerPort: UInt16
    /// The lines of the log before the client connected.
    private var earlierLines: [String] = []

    /// - Parameters:
    ///   - keys: Further keys of the section `dashboard`.
    ///   - broker: The broker; nil: nothing listens there.
    ///   - folder: The folder of the files; nil: a new one.
    ///   - mqtt: Further keys of the section `mqtt`.
    ///   - environment: Further environment variables.
    /// - Throws: `UnexpectedOutcome` with the log if the page does not start.
    init(
        _ keys: String = "", broker: Broker? = nil, in folder: TemporaryFolder? = nil, mqtt: String = "",
        environment: [String: String] = [:]
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        brokerPort = try broker?.port ?? freePort()
        let more = keys.isEmpty ? "" : ", \(keys)"
        let state = self.folder.path("state")
        let listen = keys.contains("listen:") ? "" : "listen: 127.0.0.1:0, "
        let file = try self.folder.write(
            """
            mqtt: {url: "mqtt://127.0.0.1:\(brokerPort)"\(mqtt.isEmpty ? "" : ", \(mqtt)")}
            dashboard: {\(listen)history_directory: \(state)\(more)}
            """, to: "bluefleet.yaml")
        command = try Command(Self.path, ["--config", file], environment: environment, output: .ownPipe)
        guard let line = command.error.line(containing: "address=http"),
            let port = line.split(separator: ":").last?.split(separator: "/").first.flatMap({ UInt16($0) })
        else { throw UnexpectedOutcome("the dashboard has not started: \(command.error.rest())") }
        self.port = port
        guard broker != nil else { return }
        while let line = command.error.line(), !line.contains("mqtt: connected") { earlierLines.append(line) }
    }

    /// Runs the program until it ends by itself.
    static func run(_ arguments: [String]) throws -> (status: Command.Exit, error: String) {
        let command = try Command(path, arguments, output: .ownPipe)
        let error = command.error.rest()
        return (command.wait(), error)
    }

    /// Stops the program as a service manager does.
    @discardableResult
    func stop() -> Command.Exit { command.terminate() }

    func kill() { command.kill() }

    var identifier: Int32 { command.identifier }

    /// Returns the next line of the log that contains a text.
    ///
    /// The history may report a fault before or after the client has connected.
    func logLine(containing text: String) -> String? {
        if let index = earlierLines.firstIndex(where: { $0.contains(text) }) { return earlierLines.remove(at: index) }
        return command.error.line(containing: text)
    }

    // MARK: Requests

    func open() throws -> Conversation { try Conversation(port: port) }

    /// Returns the response to a request on a connection of its own.
    func get(_ path: String, _ headers: String...) throws -> Conversation.Reply {
        try request("GET", path, headers, "")
    }

    /// Returns the response to a request that is repeated while connections that clients have ended keep their places.
    func getWhenPossible(_ path: String) throws -> Conversation.Reply {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if let reply = try? get(path) { return reply }
            sched_yield()
        }
        return try get(path)
    }

    /// Returns the response to a request of the page.
    func post(_ path: String, _ body: String, _ headers: String...) throws -> Conversation.Reply {
        let own = ["Content-Type: application/json", "Origin: http://127.0.0.1:\(port)"]
        return try request("POST", path, own + headers, body)
    }

    /// Returns the response to a request with exactly these headers.
    func request(_ method: String, _ path: String, _ headers: [String], _ body: String) throws -> Conversation.Reply {
        let conversation = try open()
        let host = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let length = method == "POST" ? ["Content-Length: \(body.utf8.count)"] : []
        let lines = ["\(method) \(path) HTTP/1.1"] + host + headers + length
        conversation.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        guard let reply = conversation.reply(hasBody: method != "HEAD") else { throw UnexpectedOutcome("no response") }
        return reply
    }

    // MARK: Messages

    /// Publishes a message.
    func publish(_ topic: String, _ payload: String, retained: Bool = true, _ options: String...) throws {
        let arguments = ["-p", "\(brokerPort)", "-V", "5", "-q", "1", "-t", "bluefleet/\(topic)"] + options
        let content = payload.isEmpty ? ["-n"] : ["-m", payload]
        let exit = try Command("mosquitto_pub", arguments + content + (retained ? ["-r"] : [])).wait()
        guard exit == .code(0) else { throw UnexpectedOutcome("mosquitto_pub failed") }
    }

    /// Returns the answer to `GET PATH` as soon as it meets a condition; a change of the board starts the next attempt.
    func json(_ path: String, where isMet: (JSON) -> Bool = { _ in true }) throws -> JSON {
        for _ in 0..<100 {
            let before = try JSON(parsing: get("/api/summary").body)["id"]?.int ?? 0
            let reply = try get(path)
            if reply.status == 200, let json = try? JSON(parsing: reply.body), isMet(json) { return json }
            _ = try get("/api/events?after=\(before)&wait=5")
        }
        throw UnexpectedOutcome("\(path) never met the condition")
    }
}
