import Dashboard
import EventLoop
import HTTP
import Synchronization
import System

/// The pages that receive changes: as server-sent events, or by long polls.
final class PageStreams: LoopPart {
    private struct Page {
        let reader: ChangeLog.Reader
        let session: String?
        let destination: Destination
        /// The number of the last event that the page has received.
        var cursor: Int
        var lastFlush: Instant
        var isScheduled = false
    }

    private enum Destination {
        case stream(EventStream)
        case poll(HTTPExchange)
    }

    private static let most = 40
    /// The shortest time between two sets of events, of the page with all devices and of the page of a device.
    private static let interval = Duration.milliseconds(500)
    private static let deviceInterval = Duration.milliseconds(50)
    private static let longestPoll = 30

    let loop: EventLoop
    private let board: Board
    private let pairs: (_ visitor: String, _ gateway: String) -> Bool
    private var pages: [Int: Page] = [:]
    private var lastNumber = 0

    /// - Parameters:
    ///   - board: The source of the changes.
    ///   - pairs: Returns whether a visitor pairs a device through a gateway.
    init(_ board: Board, pairs: @escaping (_ visitor: String, _ gateway: String) -> Bool) {
        loop = board.loop
        self.board = board
        self.pairs = pairs
    }

    /// Answers `GET api/events`.
    func open(_ request: HTTPRequest, _ visitor: PageAccess.Visitor, _ exchange: HTTPExchange) {
        guard pages.count < Self.most else {
            let busy = HTTPResponse(503, code: "busy", "\(Self.most) pages are open: close some of them")
            return exchange.respond(busy.adding([HTTPField("Retry-After", "10")]))
        }
        let reader = ChangeLog.Reader(device: request.parameter("device"), visitor: visitor.name)
        let given = request.header("last-event-id") ?? request.parameter("after")
        let cursor = given.map { Int($0) ?? -1 } ?? board.changes.last
        lastNumber += 1
        if let wait = request.parameter("wait") {
            poll(reader, visitor, after: cursor, wait, exchange)
        } else {
            stream(reader, visitor, after: cursor, exchange)
        }
    }

    private func stream(
        _ reader: ChangeLog.Reader, _ visitor: PageAccess.Visitor, after cursor: Int, _ exchange: HTTPExchange
    ) {
        let number = lastNumber
        let stream = EventStream(onEnd: removal(of: number))
        // The first event shows the page that no proxy holds events back.
        stream.send(StreamText.broker(isConnected: board.isConnected))
        pages[number] = Page(
            reader: reader, session: visitor.session, destination: .stream(stream), cursor: cursor,
            lastFlush: loop.now)
        let headers = [
            HTTPField("Content-Type", "text/event-stream"), HTTPField("Cache-Control", "no-store, no-transform"),
            HTTPField("X-Accel-Buffering", "no"),
        ]
        exchange.respond(HTTPResponse(200, headers, body: .stream(stream)))
        flush(number)
    }

    private func poll(
        _ reader: ChangeLog.Reader, _ visitor: PageAccess.Visitor, after cursor: Int, _ wait: String,
        _ exchange: HTTPExchange
    ) {
        let number = lastNumber
        let seconds = min(max(0, Int(wait) ?? Self.longestPoll), Self.longestPoll)
        exchange.allow(.seconds(seconds + 10), onLeave: removal(of: number))
        // The page may have missed events: they are sent at once.
        pages[number] = Page(
            reader: reader, session: visitor.session, destination: .poll(exchange), cursor: cursor,
            lastFlush: loop.now + (.zero - Self.interval))
        flush(number)
        after(.seconds(seconds)) { streams in streams.flush(number, endsPoll: true) }
    }

    /// Returns a function that removes a page whose client has gone, from any thread.
    private func removal(of number: Int) -> @Sendable () -> Void {
        let remove = handler { (streams: PageStreams, _: Void) in streams.pages[number] = nil }
        let entrance = LoopActor(loop: loop)
        return { entrance.spawn { _ in remove(()) } }
    }

    // MARK: Changes

    /// Called after each change of the board.
    func changed(_ change: BoardChange) {
        switch change {
        case .broker: brokerChanged()
        case .clock: clockChanged()
        case .topics: break
        }
        for number in pages.keys where pages[number]?.isScheduled == false { schedule(number) }
    }

    private func brokerChanged() {
        let text = StreamText.broker(isConnected: board.isConnected)
        for (number, page) in pages {
            switch page.destination {
            case .stream(let stream): stream.send(text)
            case .poll: flush(number, endsPoll: true)
            }
        }
    }

    /// Lets all pages read everything again, with the present time.
    private func clockChanged() {
        let last = board.changes.last
        for (number, page) in pages {
            switch page.destination {
            case .stream(let stream):
                stream.send(StreamText.reset(last))
                pages[number]?.cursor = last
            case .poll(let exchange):
                pages[number] = nil
                exchange.respond(
                    HTTPResponse(200, json: StreamText.poll(nil, id: last, isConnected: board.isConnected)))
            }
        }
    }

    private func schedule(_ number: Int) {
        guard let page = pages[number] else { return }
        let interval = page.reader.device == nil ? Self.interval : Self.deviceInterval
        pages[number]?.isScheduled = true
        after(max(.zero, page.lastFlush + interval - loop.now)) { streams in
            streams.pages[number]?.isScheduled = false
            streams.flush(number)
        }
    }

    /// Sends a page its events.
    ///
    /// - Parameters:
    ///   - number: The number of the page.
    ///   - endsPoll: Whether a long poll is answered without events too.
    private func flush(_ number: Int, endsPoll: Bool = false) {
        guard let page = pages[number] else { return }
        let last = board.changes.last
        let events = board.changes.events(after: page.cursor, for: page.reader, in: board.world, pairs)
        switch page.destination {
        case .stream(let stream):
            var text: [UInt8] = []
            if let events {
                for event in events { text += StreamText.topic(event) }
            } else {
                text = StreamText.reset(last)
            }
            if !text.isEmpty { stream.send(text) }
        case .poll(let exchange):
            if let events, events.isEmpty, !endsPoll { break }
            pages[number] = nil
            let text = StreamText.poll(events, id: last, isConnected: board.isConnected)
            exchange.respond(HTTPResponse(200, json: text))
            return
        }
        pages[number]?.cursor = last
        pages[number]?.lastFlush = loop.now
    }

    // MARK: Ending

    /// Ends the streams of a session.
    func end(session: String) {
        for page in pages.values where page.session == session { end(page) }
    }

    func endAll() {
        for page in pages.values { end(page) }
    }

    private func end(_ page: Page) {
        if case .stream(let stream) = page.destination { stream.end() }
    }
}
