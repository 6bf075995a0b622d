import Dashboard
import Foundation
import System
import TestSupport
import Testing

@testable import bluefleet_dashboard

@Suite struct HistoryFileTests {
    private func row(_ hour: Int64) -> HistoryRow {
        HistoryRow(device: "a", reading: "t", unit: "", isState: false, hour: hour, data: [])
    }

    /// Changes the closed file with another program.
    private func change(_ path: String, _ statement: String) throws {
        let program =
            "import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.execute(sys.argv[2]); file.commit()"
        #expect(try Command("python3", ["-c", program, path, statement]).wait() == .code(0))
    }

    @Test(arguments: ["hour = 'x' || hour", "hour = CAST(hour AS BLOB)", "reading = x'FF'", "device = x'FF'"])
    func `a row with a value of another type is ignored, and does not come again`(damage: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = HistoryFile(in: folder.path("state"))
        try await file.store([row(1), row(2), row(3)], removingBefore: nil)
        await file.close()
        try change(folder.path("state/history.db"), "UPDATE readings SET \(damage) WHERE hour = 2")
        let rows = try await file.rows(after: nil)
        #expect(rows.map(\.hour) == [1, 3])
        let last = HistoryFile.Place(device: "a", reading: "t", hour: 3)
        #expect(try await file.rows(after: last).isEmpty)
        await file.close()
    }
}
