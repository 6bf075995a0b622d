import Codec
import Configuration
import Foundation
import Simulator
import TestSupport
import TestTraits
import Testing

/// The references of files and the example, which are generated from the tables that check the files.
@Suite(.ownThreads) struct ReferenceTests {
    private static func rows(in section: Section) -> [Section.Row] {
        section.rows + section.rows.compactMap(\.section).flatMap(rows)
    }

    private static let rows = rows(in: Configuration.reference)

    @Test(arguments: [
        ("--configuration", "config/reference.md", Configuration.reference),
        ("--fleet", "config/fleet-reference.md", SimulatedFleet.reference),
    ])
    func `the reference in config is up to date`(option: String, path: String, table: Section) throws {
        let reference = try Bluefleet.run("help", option).output
        let file = Bluefleet.project.appendingPathComponent(path)
        #expect(try String(contentsOf: file, encoding: .utf8) == reference, "bluefleet help \(option) > \(path)")
        for row in Self.rows(in: table) {
            #expect(reference.contains("| `\(row.name)` | "))
            #expect(reference.contains(row.meaning.replacingOccurrences(of: "|", with: "\\|")))
        }
    }

    @Test func `config/mqtt.md equals the output of bluefleet help --mqtt`() throws {
        let reference = try Bluefleet.run("help", "--mqtt").output
        let file = Bluefleet.project.appendingPathComponent("config/mqtt.md")
        #expect(try String(contentsOf: file, encoding: .utf8) == reference, "bluefleet help --mqtt > config/mqtt.md")
    }

    @Test func `config/devices.md equals the output of bluefleet help --devices`() throws {
        let reference = try Bluefleet.run("help", "--devices").output
        let file = Bluefleet.project.appendingPathComponent("config/devices.md")
        let isEqual = try String(contentsOf: file, encoding: .utf8) == reference
        #expect(isEqual, "bluefleet help --devices > config/devices.md")
    }

    @Test func `config/devices.md lists every format, every quantity and every characteristic`() throws {
        let reference = try Bluefleet.run("help", "--devices").output
        for format in Advertisements.all where !format.format.quantities.isEmpty {
            #expect(reference.contains("| `\(format.name)` |"))
            #expect(!format.device.isEmpty)
            for quantity in format.format.quantities { #expect(reference.contains(quantity.name)) }
        }
        for definition in Characteristics.all { #expect(reference.contains("| `\(definition.name)` |")) }
    }

    @Test func `each link of config/devices.md to a section leads to a heading`() throws {
        let reference = try Bluefleet.run("help", "--devices").output
        let titles = reference.split(separator: "\n").filter { $0.hasPrefix("## ") }.map {
            $0.dropFirst(3).lowercased()
        }
        let anchors = titles.map {
            $0.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
        }
        for link in reference.matches(of: /\(#([^)]+)\)/) { #expect(anchors.contains(String(link.output.1))) }
    }

    @Test func `the example explains every key and is valid`() throws {
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
    func `a key of the example is set by removing its mark`(key: String) throws {
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

    @Test func `the recipe of a simulated fleet is valid`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/recipes.md")
        let recipes = try String(contentsOf: file, encoding: .utf8)
        let fleet = try #require(recipes.firstMatch(of: /\n\n(    peripherals:\n(?:    .*\n)+)/)).output.1
        let yaml = fleet.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        _ = try SimulatedHouse(yaml)
    }

    @Test func `every recipe is a valid configuration`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/recipes.md")
        let recipes = try String(contentsOf: file, encoding: .utf8).matches(of: /```yaml\n([\s\S]*?)```/)
        #expect(recipes.count == 18)
        for recipe in recipes {
            try Bluefleet.withFile(String(recipe.output.1)) { file in
                let check = try Bluefleet.run("check", "--config", file)
                #expect(check.status == 0, "\(check.output)")
            }
        }
    }
}
