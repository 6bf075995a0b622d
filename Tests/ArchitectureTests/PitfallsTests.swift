import Foundation
import Testing

/// The table of BlueZ's pitfalls, `Tests/Pitfalls.md`: it is complete, and each test that it names exists.
@Suite struct PitfallsTests {
    private static let folder = Sources.root.appending(path: "Tests")

    /// The cells of the rows of the table.
    private static let rows: [[String]] = {
        let text = (try? String(contentsOf: folder.appending(path: "Pitfalls.md"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }()

    private static func files(_ suffix: String) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
    }

    /// The suites, and `SUITE/NAME` of each test function; for a scenario `FILE/NAME`.
    private static let tests: Set<String> = {
        var tests: Set<String> = []
        for file in files(".swift") {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let suites = text.matches(of: /@Suite[^{]*struct (\w+)/).map { String($0.1) }
            let functions = text.matches(of: /@Test[^`]*?func\s+`([^`]+)`/).map { String($0.1) }
            for suite in suites { tests.formUnion([suite] + functions.map { "\(suite)/\($0)" }) }
        }
        for file in files(".py") where file.path.contains("/scenarios/") {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            for match in text.matches(of: /@scenario\s+async def (\w+)/) {
                tests.insert("\(file.lastPathComponent)/\(match.1.replacing("_", with: " "))")
            }
        }
        return tests
    }()

    @Test func `the table has a row for each of the 89 pitfalls, with a test or a reason`() {
        #expect(Self.rows.compactMap { Int($0[0]) } == Array(1...89))
        for row in Self.rows {
            #expect(row.count == 5, "\(row)")
            #expect(row.dropFirst(2).contains { $0 != "–" }, "\(row)")
        }
    }

    @Test func `each test that the table names exists`() {
        #expect(Self.tests.count > 1000)
        for row in Self.rows where row.count == 5 {
            for match in (row[2] + row[3]).matches(of: /`([^`]+)`/) {
                #expect(Self.tests.contains(String(match.1)), "pitfall \(row[0]): there is no test \(match.1)")
            }
        }
    }
}
