import Foundation
import TestSupport
import Testing

/// The access control list of config, with a real broker.
@Suite struct AccessControlTests {
    @Test func `only the bridge may publish its topics`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/mosquitto.acl")
        var options = Broker.Options()
        options.accessRules = try String(contentsOf: file, encoding: .utf8)
        options.passwords = [
            "bluefleet": "bluefleet", "homeassistant": "homeassistant", "display": "display",
            "bluefleet-admin": "bluefleet-admin",
        ]
        let broker = try Broker(options)
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
        }
        let requests = [
            "relay/output/set", "house/relay/output/get", "relay/request/read", "a/b/c/d/relay/e/f/output/set",
            "a/b/c/d/e/f/relay/request/read",
        ]
        for topic in requests {
            #expect(try isAllowed("homeassistant", "bluefleet/" + topic))
            #expect(try !isAllowed("display", "bluefleet/" + topic))
        }
        for topic in ["bridge/attic/request/scan", "bridge/attic/request/device/add"] {
            #expect(try isAllowed("bluefleet-admin", "bluefleet/" + topic))
            for user in ["homeassistant", "display"] { #expect(try !isAllowed(user, "bluefleet/" + topic)) }
        }
        #expect(try isAllowed("bluefleet", "homeassistant/device/bluefleet_relay/config"))
        #expect(try isAllowed("homeassistant", "homeassistant/status"))
    }
}
