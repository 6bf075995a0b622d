import Foundation
import JSON
import System
import TestSupport
import Testing

/// The metrics, the rules and the board with Prometheus itself.
@Suite struct PrometheusTests {
    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `promtool accepts the rules for alerts`() throws {
        let file = Self.project.appendingPathComponent("config/alerts.yaml").path
        let command = try Command("promtool", ["check", "rules", file])
        let output = command.waitForOutput()
        #expect(command.wait() == .code(0), "\(output)")
    }

    /// The names of the metrics in an expression.
    private static func names(in text: String) -> [String] {
        text.matches(of: /\b(?:bluefleet|process)_[a-z_]+/).map { String($0.0) }
    }

    @Test(arguments: ["config/alerts.yaml", "config/grafana.json", "config/dashboard.md"])
    func `each metric of a document exists`(path: String) throws {
        let text = try String(contentsOf: Self.project.appendingPathComponent(path), encoding: .utf8)
        let sources = ["Metrics.swift", "MetricQuantity.swift"].map { "Sources/Dashboard/Metrics/\($0)" }
        let code = try sources.map { try String(contentsOf: Self.project.appendingPathComponent($0), encoding: .utf8) }
            .joined()
        let names = Self.names(in: text)
        #expect(!names.isEmpty)
        for name in names where !name.hasSuffix("_") {
            let stem = ["_total", "_info"].reduce(name) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
            let isKnown = code.matches(
                of: /"(bluefleet_[a-z_]+|process_[a-z_]+)"(?:, unit: "([a-z_]+)"|, "([a-z_]+)",)?/
            )
            .contains { match in
                let unit = match.2 ?? match.3
                return String(match.1) == stem || unit.map { "\(match.1)_\($0)" == stem } ?? false
            }
            #expect(isKnown, "\(path): \(name)")
        }
    }

    @Test func `the board is JSON with queries in each panel`() throws {
        let text = try String(contentsOf: Self.project.appendingPathComponent("config/grafana.json"), encoding: .utf8)
        let board = try JSON(parsing: text)
        let panels = try #require(board["panels"]?.array)
        #expect(panels.count == 8)
        #expect(panels.allSatisfy { $0["targets"]?[0]?["expr"]?.string?.isEmpty == false })
    }

    @Test func `Prometheus scrapes the metrics with the password`() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let password = try folder.write("correct horse", to: "password")
        chmod(password, 0o600)
        let dashboard = try RunningDashboard("password_file: \(password)", broker: broker, in: folder)
        try dashboard.publish("bridge/attic/state", #"{"state":"online"}"#)
        let port = try freePort()
        let file = try folder.write(
            """
            global: {scrape_interval: 200ms, scrape_timeout: 200ms}
            scrape_configs:
              - job_name: bluefleet
                static_configs: [{targets: ["127.0.0.1:\(dashboard.port)"]}]
                authorization: {credentials_file: \(password)}
            """, to: "prometheus.yml")
        let prometheus = try Command(
            "prometheus",
            [
                "--config.file=\(file)", "--storage.tsdb.path=\(folder.path("tsdb"))",
                "--web.listen-address=127.0.0.1:\(port)",
            ])
        try prometheus.waitForOutput(containing: "Server is ready to receive web requests")
        func value(_ query: String) throws -> String? {
            let conversation = try Conversation(port: port)
            conversation.send("GET /api/v1/query?query=\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let reply = try JSON(parsing: conversation.reply()?.body ?? "null")
            return reply["data"]?["result"]?[0]?["value"]?[1]?.string
        }
        var state: String?
        for _ in 0..<20_000 where state != "1" { state = try value("bluefleet_gateway_up") }
        #expect(state == "1")
        #expect(try value("up") == "1")
        #expect(try value("bluefleet_broker_connected") == "1")
    }
}
