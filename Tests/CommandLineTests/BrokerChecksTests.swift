import Configuration
import EventLoop
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
}
