import Foundation
import TestSupport
import TestTraits
import Testing

/// The access control list of config, with a real broker.
@Suite(.ownThreads) struct AccessControlTests {
    private func broker() throws -> Broker {
        let file = Bluefleet.project.appendingPathComponent("config/mosquitto.acl")
        var options = Broker.Options()
        options.accessRules = try String(contentsOf: file, encoding: .utf8)
        options.passwords = [
            "bluefleet": "bluefleet", "homeassistant": "homeassistant", "display": "display",
            "bluefleet-admin": "bluefleet-admin", "bluefleet-dashboard": "bluefleet-dashboard",
        ]
        return try Broker(options)
    }

    @Test func `only the bridge may publish its topics`() throws {
        let broker = try broker()
        defer { broker.stop() }
        func isAllowed(_ user: String, _ topic: String) throws -> Bool {
            let publisher = try Command(
                "mosquitto_pub",
                [
                    "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", user, "-P", user, "-t", topic, "-m", "1", "-q",
                    "1",
                    "-V", "5",
                ])
            return !publisher.waitForOutput().contains("Not authorized")
        }
        for topic in [
            "relay/output", "relay/availability", "a/b/c/d/relay/output", "bridge/attic/state", "relay/response/read",
        ] {
            #expect(try isAllowed("bluefleet", "bluefleet/" + topic))
            #expect(try !isAllowed("homeassistant", "bluefleet/" + topic))
            #expect(try !isAllowed("display", "bluefleet/" + topic))
            #expect(try !isAllowed("bluefleet-dashboard", "bluefleet/" + topic))
        }
        let requests = [
            "relay/output/set", "house/relay/output/get", "relay/request/read", "a/b/c/d/relay/e/f/output/set",
            "a/b/c/d/e/f/relay/request/read",
        ]
        for topic in requests {
            #expect(try isAllowed("homeassistant", "bluefleet/" + topic))
            #expect(try isAllowed("bluefleet-dashboard", "bluefleet/" + topic))
            #expect(try !isAllowed("display", "bluefleet/" + topic))
        }
        for topic in ["bridge/attic/request/scan", "bridge/attic/request/device/add"] {
            #expect(try isAllowed("bluefleet-admin", "bluefleet/" + topic))
            #expect(try isAllowed("bluefleet-dashboard", "bluefleet/" + topic))
            for user in ["homeassistant", "display"] { #expect(try !isAllowed(user, "bluefleet/" + topic)) }
        }
        #expect(try isAllowed("bluefleet", "homeassistant/device/bluefleet_relay/config"))
        #expect(try isAllowed("homeassistant", "homeassistant/status"))
    }

    private static let secrets = [
        "bridge/attic/request/pair", "bridge/attic/request/device/add", "bridge/attic/response/backup",
        "bridge/attic/response/device/options", "bridge/attic/log", "bridge/attic/pairing", "bridge/attic/late/event",
        "bridge/attic/fleet/report", "bridge/attic/fleet/changes",
    ]
    private static let requests = [
        "relay/output/set", "house/relay/output/set", "relay/request/write", "a/b/c/d/e/f/request/read",
    ]
    private static let messages = [
        "relay/output", "house/cellar/freezer/inner/temperature", "relay/availability", "bridge/attic/state",
        "bridge/attic/health", "bridge/attic/late/greenhouse/temperature",
    ]

    @Test(arguments: ["bluefleet-admin", "bluefleet-dashboard", "homeassistant", "display"])
    func `only bluefleet-admin and bluefleet-dashboard read the topics with secrets`(_ user: String) throws {
        let broker = try broker()
        defer { broker.stop() }
        let login = { (user: String) in ["-h", "127.0.0.1", "-p", "\(broker.port)", "-u", user, "-P", user] }
        // A retained message is sent to a later subscriber: a test of each topic needs no second program at the same time.
        for topic in Self.secrets + Self.requests + Self.messages + ["bridge/attic/event", "the/end"] {
            let writer = topic.hasPrefix("bridge/attic/request") ? "bluefleet-admin" : "bluefleet"
            let publisher = try Command(
                "mosquitto_pub", login(writer) + ["-t", "bluefleet/\(topic)", "-m", topic, "-r", "-q", "1"])
            _ = publisher.waitForOutput()
        }
        let subscriber = try Command(
            "mosquitto_sub", login(user) + ["-t", "bluefleet/#", "-v", "-W", "10", "--retained-only"])
        var received: Set<String> = []
        while let line = subscriber.output.line() {
            guard let topic = line.split(separator: " ").first else { continue }
            received.insert(String(topic.dropFirst("bluefleet/".count)))
            if received.contains("the/end") { break }
        }
        #expect(received.isSuperset(of: Self.messages))
        switch user {
        case "display": #expect(received.isDisjoint(with: Self.secrets + Self.requests + ["bridge/attic/event"]))
        case "homeassistant":
            #expect(received.isDisjoint(with: Self.secrets))
            #expect(received.contains("bridge/attic/event"))
        default: #expect(received.isSuperset(of: Self.secrets))
        }
    }
}
