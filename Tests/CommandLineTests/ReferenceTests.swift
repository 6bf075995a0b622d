import Configuration
import Foundation
import TestSupport
import Testing

/// The configuration's reference and its example, which are made from the table that checks it.
@Suite struct ReferenceTests {
    private static func rows(in section: Section) -> [Section.Row] {
        section.rows + section.rows.compactMap(\.section).flatMap(rows)
    }

    private static let rows = rows(in: Configuration.reference)

    @Test func `the reference in config is what the table says`() throws {
        let reference = try Bluefleet.run("help", "--configuration").output
        let file = Bluefleet.project.appendingPathComponent("config/reference.md")
        #expect(
            try String(contentsOf: file, encoding: .utf8) == reference, "bluefleet help --configuration > \(file.path)")
        for row in Self.rows {
            #expect(reference.contains("| `\(row.name)` | "))
            #expect(reference.contains(row.meaning.replacingOccurrences(of: "|", with: "\\|")))
        }
    }

    @Test func `the example explains every key, and is valid as it is`() throws {
        let example = try Bluefleet.run("help", "--example").output
        #expect(example.split(separator: "\n").allSatisfy { $0.hasPrefix("#") && $0.count < 120 })
        let words = example.split { $0.isWhitespace || $0 == "#" }.joined(separator: " ")
        for row in Self.rows {
            #expect(words.contains("\(row.name):"))
            #expect(words.contains(row.meaning), "\(row.name)")
        }
        try Bluefleet.withFile(example) { file in
            let check = try Bluefleet.run("check", "--config", file)
            #expect(check.status == 0)
        }
    }

    @Test(arguments: ["gateway", "state_directory", "log", "mqtt", "url", "protocol", "home_assistant", "discovery"])
    func `a key is set by taking its mark away`(key: String) throws {
        let example = try Bluefleet.run("help", "--example").output
        let wanted =
            ["url", "protocol"].contains(key) ? ["mqtt", key] : key == "discovery" ? ["home_assistant", key] : [key]
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let name = line.dropFirst().drop { $0 == " " }.prefix { $0 != ":" }
            return line.hasPrefix("#") && wanted.contains(String(name)) ? String(line.dropFirst()) : String(line)
        }
        try Bluefleet.withFile(lines.joined(separator: "\n")) { file in
            let check = try Bluefleet.run("check", "--config", file)
            #expect(check.status == 0, "\(check.output)")
        }
    }

    @Test func `every recipe is a configuration that is valid as it is`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/recipes.md")
        let recipes = try String(contentsOf: file, encoding: .utf8).matches(of: /```yaml\n([\s\S]*?)```/)
        #expect(recipes.count == 6)
        for recipe in recipes {
            try Bluefleet.withFile(String(recipe.output.1)) { file in
                let check = try Bluefleet.run("check", "--config", file)
                #expect(check.status == 0, "\(check.output)")
            }
        }
    }
}
