import Configuration
import Contract
import Dashboard
import EventLoop
import HTTP
import JSON
import Log
import MQTT
import System

/// Answers the requests of browsers and programs.
final class PageServer: LoopPart {
    let loop: EventLoop
    private let log = Log("dashboard")
    private let settings: Configuration.Dashboard
    private let board: Board
    private let forwarder: RequestForwarder
    private let streams: PageStreams
    private let files: PageFiles
    private let start: Timestamp
    private var access: PageAccess
    private var server: HTTPServer?

    init(
        _ settings: Configuration.Dashboard, password: [UInt8]?, _ board: Board, _ forwarder: RequestForwarder,
        _ streams: PageStreams
    ) {
        loop = board.loop
        start = board.loop.timestamp
        self.settings = settings
        self.board = board
        self.forwarder = forwarder
        self.streams = streams
        files = PageFiles(folder: EnvironmentVariable.ofProcess["BLUEFLEET_PAGE"])
        access = PageAccess(settings, password: password, machine: Configuration.hostName)
    }

    /// Starts to listen.
    ///
    /// - Throws: `SystemError` for an address that is not available.
    func open() throws(SystemError) {
        let answer = handler { (server: PageServer, call: (HTTPRequest, HTTPExchange)) in
            server.answer(call.0, call.1)
        }
        let server = try HTTPServer(on: loop, listening: settings.listen, headers: SecurityHeaders.fields) {
            answer(($0, $1))
        }
        self.server = server
        for (address, port) in zip(settings.listen, server.ports) {
            let name =
                if case .tcp(let host, _) = address, let port {
                    "http://\(ListenAddress.tcp(host, port: port))/"
                } else {
                    address.description
                }
            log.info("the page is ready", ["address": name])
        }
    }

    func close() {
        streams.endAll()
        server?.stop()
    }

    // MARK: Routes

    private func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if let refusal = access.refusal(of: request) { return exchange.respond(refusal) }
        switch request.path {
        case "/healthz": exchange.respond(health)
        case "/api/session": logIn(request, exchange)
        case "/api/session/end": logOut(request, exchange)
        case "/metrics": withVisitor(request, exchange) { _ in exchange.respond(metrics(request)) }
        case let path where path.hasPrefix("/api/"):
            withVisitor(request, exchange) { visitor in
                answerCall(String(path.dropFirst(5)), request, visitor, exchange)
            }
        default: exchange.respond(files.response(to: request) ?? Self.notFound)
        }
    }

    private static let notFound = HTTPResponse(404, code: "not_found", "there is no such page")

    private func withVisitor(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ body: (PageAccess.Visitor) -> Void
    ) {
        switch access.decide(request, at: loop.now) {
        case .accepted(let visitor): body(visitor)
        case .rejected(let response): exchange.respond(response)
        case .wrongPassword(let response):
            reportWrongPassword(request)
            exchange.respond(response)
        }
    }

    private func answerCall(
        _ call: String, _ request: HTTPRequest, _ visitor: PageAccess.Visitor, _ exchange: HTTPExchange
    ) {
        let isPost = request.method == "POST"
        switch (call, isPost) {
        case ("summary", false): exchange.respond(summary(request))
        case ("remedies", false): exchange.respond(Self.remedies)
        case ("device", false): exchange.respond(device(request))
        case ("history", false): exchange.respond(history(request))
        case ("events", false): streams.open(request, visitor, exchange)
        case ("set", true), ("get", true): forward(call, request, visitor, exchange)
        case (_, true) where call.hasPrefix("request/"): forward(call, request, visitor, exchange)
        case ("summary", true), ("remedies", true), ("device", true), ("history", true), ("events", true),
            ("set", false), ("get", false):
            exchange.respond(Self.wrongMethod(isPost ? "GET" : "POST"))
        case (_, false) where call.hasPrefix("request/"): exchange.respond(Self.wrongMethod("POST"))
        default: exchange.respond(Self.notFound)
        }
    }

    private static func wrongMethod(_ method: String) -> HTTPResponse {
        HTTPResponse(405, code: "wrong_method", "expected \(method)").adding([HTTPField("Allow", method)])
    }

    // MARK: Sessions

    private func logIn(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard request.method == "POST" else { return exchange.respond(Self.wrongMethod("POST")) }
        guard let password = (try? JSON(parsing: request.body))?["password"]?.string else {
            return exchange.respond(HTTPResponse(400, code: "bad_request", #"expected {"password": "…"}"#))
        }
        switch access.logIn(password, request, at: loop.now) {
        case .accepted(let response): exchange.respond(response)
        case .rejected(let response, let isWrong):
            if isWrong { reportWrongPassword(request) }
            exchange.respond(response)
        }
    }

    private func logOut(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard request.method == "POST" else { return exchange.respond(Self.wrongMethod("POST")) }
        if case .accepted(let visitor) = access.decide(request, at: loop.now), let session = visitor.session {
            streams.end(session: session)
        }
        exchange.respond(access.logOut(request))
    }

    /// Repeated lines are counted by the log.
    private func reportWrongPassword(_ request: HTTPRequest) {
        log.warning("page_login_failed", ["client": request.client?.description ?? "socket"])
    }

    // MARK: Answers

    private var health: HTTPResponse {
        if !board.isConnected { return HTTPResponse(503, text: "broker away") }
        return board.world.isBluetoothOff ? HTTPResponse(503, text: "bluetooth off") : HTTPResponse(200, text: "ok")
    }

    private func summary(_ request: HTTPRequest) -> HTTPResponse {
        let page = PageState(
            isConnected: board.isConnected, since: board.since, access: settings.access.rawValue,
            requiresPassword: access.requiresPassword(request), history: board.history.keep)
        return HTTPResponse(
            200, json: board.world.summaryReply(page, id: board.changes.last, at: loop.timestamp))
    }

    private static let remedies: HTTPResponse = {
        var text: [UInt8] = []
        let body: JSON = ["remedies": Remedy.table]
        body.append(to: &text)
        return HTTPResponse(200, json: text)
    }()

    private func device(_ request: HTTPRequest) -> HTTPResponse {
        guard let name = request.parameter("name") else {
            return HTTPResponse(400, code: "bad_request", "name: missing: add the name of the device")
        }
        guard let reply = board.world.deviceReply(name) else { return Self.unknownDevice }
        return HTTPResponse(200, json: reply)
    }

    private static let unknownDevice = HTTPResponse(404, code: "unknown_device", "there is no such device")

    private func history(_ request: HTTPRequest) -> HTTPResponse {
        guard let device = request.parameter("device") else {
            return HTTPResponse(400, code: "bad_request", "device: missing: add the name of the device")
        }
        guard let reading = request.parameter("reading") else {
            return HTTPResponse(200, json: board.history.readingsReply(device))
        }
        let range = HistoryRange(
            from: request.parameter("from"), to: request.parameter("to"), keep: board.history.keep,
            at: loop.timestamp)
        guard let range else {
            let message = "from, to: expected a time such as 2026-11-21T05:09:00Z, or seconds since 1970"
            return HTTPResponse(400, code: "bad_request", message)
        }
        let newest = board.world.reading(reading, of: device)
        if request.header("accept")?.lowercased().hasPrefix("text/csv") == true {
            guard let text = board.history.csvReply(device, reading, range, newest: newest) else {
                return Self.unknownReading
            }
            let type = HTTPField("Content-Type", "text/csv; charset=utf-8; header=present")
            return HTTPResponse(200, [type, HTTPField("Cache-Control", "no-store")], body: .bytes(text))
        }
        guard let reply = board.history.valuesReply(device, reading, range, newest: newest) else {
            return Self.unknownReading
        }
        return HTTPResponse(200, json: reply)
    }

    private static let unknownReading = HTTPResponse(
        404, code: "not_found", "the device has no such reading")

    private func metrics(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method != "POST" else { return Self.wrongMethod("GET") }
        guard settings.metrics != .nothing else { return Self.notFound }
        let isOpenMetrics = request.header("accept").map { accept in
            accept.split(separator: ",").contains { $0.drop { $0 == " " }.hasPrefix("application/openmetrics-text") }
        }
        var metrics = Metrics(board.world, settings.metrics, isOpenMetrics: isOpenMetrics ?? false)
        let usage = ProcessUsage.current
        var own = Metrics.Own()
        own.swift = SwiftVersion.current
        own.version = DashboardProgram.version
        own.start = start
        own.processorSeconds = usage.processorSeconds
        own.residentBytes = usage.residentBytes
        own.openDescriptors = FileDescriptorUsage.current.used
        own.isConnected = board.isConnected
        own.connections = board.connections
        own.requests = forwarder.counts
        let type =
            isOpenMetrics ?? false
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8"
        let headers = [HTTPField("Content-Type", type), HTTPField("Cache-Control", "no-store")]
        return HTTPResponse(200, headers, body: .bytes(metrics.text(own, at: loop.now)))
    }

    // MARK: Requests

    private func forward(
        _ call: String, _ request: HTTPRequest, _ visitor: PageAccess.Visitor, _ exchange: HTTPExchange
    ) {
        do throws(RequestError) {
            guard settings.access == .full else {
                throw RequestError(.notAllowed, "the page only shows: set access: full in the section dashboard")
            }
            guard let body = try Request.json(request.body.isEmpty ? Array("{}".utf8) : request.body).object else {
                throw RequestError(.badRequest, "the body must be a JSON object")
            }
            let translated =
                switch call {
                case "set": try PageRequest(set: body, in: board.world, canCorrelate: forwarder.canCorrelate)
                case "get": try PageRequest(get: body, in: board.world)
                default: try PageRequest(verb: String(call.dropFirst("request/".count)), body, in: board.world)
                }
            forwarder.send(translated, visitor, exchange)
        } catch {
            var text: [UInt8] = []
            Response(.failure(error)).json.append(to: &text)
            exchange.respond(HTTPResponse(error.code.httpStatus, json: text))
        }
    }
}
