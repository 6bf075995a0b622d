import Configuration
import Contract
import EventLoop
import TestSupport
import Testing

@testable import MQTT
@testable import bluefleet

@Suite struct BrokerChecksTests {
    /// Returns the diagnosis of a rejected login.
    private func diagnosis(_ code: UInt8, mqtt: String = "url: mqtt://localhost") throws -> Diagnosis {
        try EventLoop.run { home in
            let configuration = try Configuration(yaml: "mqtt: {\(mqtt)}")
            let file = ConfigurationFile(try Arguments(["--config", "x.yaml"], for: Doctor.self))
            return BrokerChecks(configuration, of: file, on: home.loop)
                .diagnosis(.refused(Refusal(code: code), retryIn: .seconds(1)))
        }
    }

    @Test func `invalid credentials are fixed by a new password`() throws {
        for code in [4, 5, 134, 135] as [UInt8] {
            let refusal = try diagnosis(code, mqtt: "username: me")
            #expect(refusal.state == .wrong(.noPermission))
            let password = "sudo -u mosquitto mosquitto_passwd /etc/mosquitto/bluefleet/passwd me"
            #expect(refusal.remedy == "\(password) && sudo systemctl reload mosquitto")
        }
    }

    @Test func `an unsupported version of MQTT is fixed in the configuration`() throws {
        let refusal = try diagnosis(132)
        #expect(refusal.state == .wrong(.badConfiguration))
        #expect(refusal.remedy == "in x.yaml, set mqtt.protocol to 3.1.1")
        #expect(try diagnosis(1, mqtt: "protocol: 3.1.1").remedy == "in x.yaml, set mqtt.protocol to 5")
    }

    @Test func `a rejected client identifier is fixed by another gateway name`() throws {
        let refusal = try diagnosis(133)
        #expect(refusal.state == .wrong(.badConfiguration))
        #expect(refusal.remedy == "in x.yaml, change gateway")
    }

    @Test func `other rejections refer to the log on the machine of the broker`() throws {
        let log = "sudo tail /var/log/mosquitto/mosquitto.log"
        #expect(try diagnosis(138).state == .wrong(.noPermission))
        #expect(try diagnosis(138).remedy == log)
        for code in [3, 136, 151] as [UInt8] {
            let refusal = try diagnosis(code, mqtt: "url: mqtt://broker.example")
            #expect(refusal.state == .wrong(.unavailable))
            #expect(refusal.remedy == "on the machine of the broker: " + log)
        }
    }

    @Test func `topics and filters that the broker does not accept are listed`() {
        #expect(BrokerChecks.findings(about: nil as BrokerStatus?).isEmpty)
        var status = BrokerStatus()
        #expect(BrokerChecks.findings(about: status).isEmpty)
        status.refused = [.init(.publish, "a/b", reason: "closed"), .init(.subscribe, "c/#", reason: "denied")]
        let finding = BrokerChecks.findings(about: status).first
        #expect(finding?.state == .wrong(.noPermission))
        #expect(finding?.message == "a/b (and 1 others) is refused by the broker: closed")
        #expect(
            finding?.remedy
                == "allow the user of the bridge to publish: a/b\nallow the user of the bridge to subscribe: c/#")
    }

    @Test func `topics that the broker rejects for the moment are advice`() {
        var status = BrokerStatus()
        status.refused = [.init(.publish, "a/b", reason: "Quota exceeded", isTemporary: true)]
        let findings = BrokerChecks.findings(about: status)
        #expect(findings.map(\.state) == [.advice])
        #expect(findings.first?.message == "a/b is rejected by the broker for the moment: Quota exceeded")
        #expect(findings.first?.remedy?.contains("publish_rate") == true)
    }

    @Test func `the gateways that share devices are listed, and a missing decider is wrong`() {
        let none: FleetHealth? = nil
        #expect(BrokerChecks.findings(about: none).isEmpty)
        var fleet = FleetHealth(
            decider: "attic", epoch: 7, members: ["attic", "cellar"], shared: 31, owned: 12, moves: 15,
            secondsInDoubt: 4, ignored: 0)
        #expect(
            BrokerChecks.findings(about: fleet).map(\.message)
                == ["attic decides, of attic, cellar; 12 of 31 shared devices are here"])
        fleet.decider = nil
        #expect(BrokerChecks.findings(about: fleet).map(\.state) == [.wrong(.noPermission)])
    }

    @Test func `an advertisement that the bridge cannot send is wrong`() {
        let findings = BrokerChecks.findings(about: [
            AdvertiserStatus(name: "attic", .sending(adapter: "hci0")),
            AdvertiserStatus(name: "cellar", .waiting(reason: "no value has arrived")),
            AdvertiserStatus(name: "kitchen", .failed(reason: "hci0 cannot send advertisements")),
        ])
        #expect(findings.map(\.state) == [.wrong(.unavailable)])
        #expect(findings.map(\.message) == ["kitchen is not sent: hci0 cannot send advertisements"])
    }

    @Test func `limits of the broker that have an effect are advice`() throws {
        let findings = try EventLoop.run { home in
            let file = ConfigurationFile(try Arguments(["--config", "x.yaml"], for: Doctor.self))
            let checks = BrokerChecks(try Configuration(yaml: "mqtt: {qos: 1}"), of: file, on: home.loop)
            var limits = BrokerLimits()
            limits.bestQuality = .atLeastOnce
            #expect(checks.restrictions(limits).isEmpty)
            limits.retainsMessages = false
            return checks.restrictions(limits)
        }
        #expect(findings.map(\.state) == [.advice])
        #expect(findings.first?.message.hasPrefix("the broker retains no messages") == true)
    }
}
