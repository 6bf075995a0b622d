import Configuration
import System
import Testing

@Suite struct DashboardSettingsTests {
    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false), ("192.0.2.1", "192.0.2.1", true),
        ("172.30.32.0/23", "172.30.33.9", true), ("172.30.32.0/23", "172.30.34.0", false),
        ("0.0.0.0/0", "1.2.3.4", true),
        ("2001:db8::/32", "2001:db8:1::1", true), ("2001:db8::/32", "2001:db9::", false),
        ("192.0.2.0/24", "::ffff:192.0.2.9", true), ("::/0", "192.0.2.1", false),
    ])
    func `a network contains the addresses with its first bits`(network: String, address: String, contains: Bool) throws
    {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == contains)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/", "a", "1.2.3.4/8/8", "[::1]", "1.2.3.4/+8"])
    func `other texts are no networks`(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(arguments: ["127.0.0.1:2583", "[::1]:80", "0.0.0.0:0", "unix:/run/a.sock"])
    func `an address for listening keeps its text`(text: String) throws {
        #expect(try ListenAddress(text: text).description == text)
    }

    @Test(arguments: [
        "2583", "localhost:2583", "::1:80", "127.0.0.1", "127.0.0.1:99999", "unix:a.sock", "[127.0.0.1]:1", ":80",
    ])
    func `other addresses for listening are rejected`(text: String) {
        #expect(throws: InvalidValue.self) { try ListenAddress(text: text) }
    }

    @Test func `only loopback addresses and sockets are local`() throws {
        #expect(
            try ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:/a"].allSatisfy { try ListenAddress(text: $0).isLocal })
        #expect(try ["0.0.0.0:1", "[::]:1", "192.0.2.1:1"].allSatisfy { try !ListenAddress(text: $0).isLocal })
    }

    private func mistakes(_ yaml: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try Configuration(yaml: yaml)
            return []
        } catch {
            return error.mistakes.map(\.message)
        }
    }

    @Test func `the section of the dashboard has safe defaults`() throws {
        let dashboard = try Configuration(yaml: "").dashboard
        #expect(dashboard.listen.map(\.description) == ["127.0.0.1:2583"])
        #expect(dashboard.access == .full && dashboard.history == .seconds(86_400) && dashboard.passwordFile == nil)
    }

    @Test(arguments: [
        ("listen: 0.0.0.0:2583", "add password_file"), ("listen: [127.0.0.1:1, \"[::]:2\"]", "add password_file"),
        ("listen: []", "1 to 8 addresses"), ("trusted_proxies: [0.0.0.0/0]", "every address"),
        ("trusted_proxies: [\"::/0\"]", "every address"), ("history: 8d", "1h to 7d"), ("history: 5m", "1h to 7d"),
        ("names: [http://a]", "without scheme"), ("metrics: some", "expected all"), ("port: 80", "write listen"),
        ("mqtt_password_file: a", "mqtt_username"), ("password: a", "into a file"),
    ])
    func `a mistake in the section of the dashboard is reported`(line: String, message: String) {
        #expect(mistakes("dashboard: {\(line)}").contains { $0.contains(message) })
    }

    @Test func `the dashboard can have its own user at the broker`() throws {
        let text = "mqtt: {username: a, password_file: /a}\ndashboard: {mqtt_username: b, mqtt_password_file: /b}"
        let configuration = try Configuration(yaml: text)
        #expect(
            configuration.dashboardBroker.username == "b" && configuration.dashboardBroker.passwordFile?.path == "/b")
        #expect(configuration.broker.username == "a")
        let same = try Configuration(yaml: "mqtt: {username: a, password_file: /a}")
        #expect(same.dashboardBroker == same.broker)
    }
}
