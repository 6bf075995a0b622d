import Dashboard
import Testing

@Suite struct HostRuleTests {
    private let rule = HostRule(machine: "attic.example", names: ["bluefleet.lan"])

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:2583", "[::1]:2583", "[fe80::1]", "[::ffff:127.0.0.1]:2583", "localhost:2583",
        "LOCALHOST", "attic",
        "attic.local:80",
        "attic.example", "attic.example.", "bluefleet.lan", "192.168.1.5",
    ])
    func `HostRule accepts addresses and the names of the machine`(host: String) {
        #expect(rule.accepts(host))
    }

    @Test(arguments: [
        nil, "", "evil.example", "attic.evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
        "evil.example:2583",
        "127.0.0.1:x", "[::1", "::1", "[127.0.0.1]", "[localhost]", "local", "@localhost", "localhost@evil.example",
        "1.2.3.4.5",
    ])
    func `HostRule rejects other names`(host: String?) {
        #expect(!rule.accepts(host))
    }
}
