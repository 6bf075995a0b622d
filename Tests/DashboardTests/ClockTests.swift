import EventLoop
import JSON
import System
import TestSupport
import Testing

@testable import Dashboard
@testable import HTTP
@testable import bluefleet_dashboard

/// The clock of the dashboard's machine, which is set while pages are open.
@Suite struct ClockTests {
    /// The streams, which observe the board that they need.
    private final class Observers {
        var streams: PageStreams?
    }

    @Test(arguments: [3600, -3600])
    func `after the clock was set, each page reads everything again`(seconds: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let reply = try EventLoop.run(time: .manual) { home in
            let observers = Observers()
            let board = Board(keeping: .seconds(86_400), on: home.loop) { observers.streams?.changed($0) }
            let streams = PageStreams(board) { _, _ in false }
            observers.streams = streams
            let query = [HTTPField("after", "\(board.changes.last)"), HTTPField("wait", "25")]
            let request = HTTPRequest("GET", "/api/events", query: query)
            let exchange = HTTPExchange(-1)
            streams.open(request, PageAccess.Visitor(name: "page", session: nil), exchange)
            HistoryKeeper(board, in: folder.path).clockSet(by: .seconds(seconds))
            return exchange.wait()
        }
        guard case .bytes(let text)? = reply?.body else { throw UnexpectedOutcome("no answer") }
        #expect(try JSON(parsing: text)["reset"] == true)
    }
}
