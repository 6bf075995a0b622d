import EventLoop
import Foundation
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct TLSTests {
    @Test func `a client connects to a broker with a valid certificate`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                $0.tls = TLS(authorities: certificates.authority)
            }
            await fixture.subscribe(to: "a")
            let texts = (0..<200).map { "\($0) " + String(repeating: "x", count: 1000) }
            for text in texts {
                fixture.client.publish(Message("a", text: text), policy: .each)
            }
            #expect(await fixture.texts(texts.count) == texts)
            broker.kill()
            _ = await fixture.disconnected()
            try broker.start()
            await fixture.subscribed()
            await fixture.close()
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `with TLS, a long retained message is dropped and acknowledged`(version: ProtocolVersion) throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        try EventLoop.run { home in
            func fixture(_ name: String) throws -> ClientFixture {
                try ClientFixture(broker, name, on: home.loop) {
                    $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                    $0.tls = TLS(authorities: certificates.authority)
                    $0.outbox.size = 64 << 20
                    $0.version = version
                    $0.maximumPacketSize = 64 << 20
                }
            }
            let observer = try fixture("observer")
            await observer.connected()
            let payload = [UInt8](repeating: 0x61, count: 5 << 20)
            observer.client.publish(Message("a/long", payload, isRetained: true), policy: .each)
            await home.until { observer.client.statistics.sent == 1 }
            let client = try fixture("test")
            client.client.subscribe(to: "a/#")
            #expect(await client.next { if case .cut(let length) = $0 { length } else { nil } } > payload.count)
            observer.client.publish(Message("a/short", text: "1"), policy: .each)
            #expect(await client.texts(1) == ["1"])
            await client.close()
            await observer.close()
        }
    }

    @Test func `a client reports a key that does not belong to its certificate`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        let key = broker.folder.path("localhost.authority.key")
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.tls = TLS(
                    authorities: certificates.authority,
                    identity: .init(certificate: certificates.certificate, key: key))
            }
            let reason = "it is not a key, or it does not belong to cert_file"
            #expect(await fixture.disconnected() == "Unable to load client key file \"\(key)\": \(reason)")
            await fixture.close()
        }
    }

    @Test func `a client sends its certificate to a broker that requires a certificate`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        options.asksForCertificates = true
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        try EventLoop.run { home in
            let tls = TLS(authorities: certificates.authority)
            let rejected = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                $0.tls = tls
            }
            _ = await rejected.disconnected()
            await rejected.close()
            #expect(rejected.client.statistics.connections == 0)
            let accepted = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                $0.tls = TLS(
                    authorities: certificates.authority,
                    identity: .init(certificate: certificates.certificate, key: certificates.key))
            }
            await accepted.connected()
            await accepted.close()
        }
    }

    @Test func `a client rejects a certificate for another host`() throws {
        #expect(try failure(certificateFor: "elsewhere.example").hasPrefix("host name verification failed: "))
    }

    private static let untrusted = ": ca_file must contain the authority that signed the certificate"

    @Test func `a client rejects a certificate of an unknown authority`() throws {
        #expect(try failure(certificateFor: "localhost", trusting: .another).hasSuffix(Self.untrusted))
    }

    @Test func `a client with the system's authorities rejects the test's authority`() throws {
        #expect(try failure(certificateFor: "localhost", trusting: .theSystem).hasSuffix(Self.untrusted))
    }

    @Test(arguments: ["ca-certificates.crt", "ca-bundle.crt"])
    func `a client trusts the system's authorities in one file`(name: String) throws {
        try trustsSystem { folder, authority in try folder.write(authority, to: name) }
    }

    @Test func `a client trusts the system's authorities in a folder with links by hash`() throws {
        try trustsSystem { folder, authority in
            try folder.write(authority, to: "authority.pem")
            try folder.write("", to: "ca-certificates.crt")
            #expect(try Command("openssl", ["rehash", folder.path]).wait() == .code(0))
        }
    }

    /// Connects to a broker whose authority the system trusts.
    private func trustsSystem(_ fill: (_ folder: TemporaryFolder, _ authority: String) throws -> Void) throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = try #require(broker.certificates?.authority)
        try fill(folder, String(contentsOfFile: authority, encoding: .utf8))
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                $0.tls = TLS()
                $0.tls?.systemAuthorities = folder.path
            }
            let failure = await fixture.next { event in
                switch event {
                case .connected: ""
                case .disconnected(let reason, _, _): reason
                default: nil
                }
            }
            #expect(failure.isEmpty)
            await fixture.close()
        }
    }

    @Test func `a TLS client reports a broker without TLS`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.tls = TLS() }
            let reason = await fixture.disconnected()
            #expect(reason.contains("it might not support TLS: set url to mqtt://"), "\(reason)")
            await fixture.close()
            #expect(fixture.client.statistics.connections == 0)
        }
    }

    @Test func `a TLS client reports a broker without TLS that closes the connection regularly`() throws {
        try EventLoop.run { home in
            var closeConnections = {}
            let broker = try FakeBroker(on: home.loop) { _, _ in
                closeConnections()
                return []
            }
            closeConnections = { [unowned broker] in broker.closeConnections() }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.tls = TLS() }
            let reason = await fixture.disconnected()
            #expect(reason.contains("it might not support TLS: set url to mqtt://"), "\(reason)")
            await fixture.close()
        }
    }

    @Test func `a client without TLS suggests mqtts:// if the broker closes the connection`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            let reason = "the broker has closed the connection: it might require TLS: set url to mqtts://"
            #expect(await fixture.disconnected() == reason)
            await fixture.close()
        }
    }

    @Test func `a TLS client reports a refused connection at once`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.tls = TLS() }
            let reasons = await [fixture.disconnected(), fixture.disconnected()]
            // libmosquitto 2.0.21 does not report the reason of the system.
            let unspecific = "TLS failed: the broker might not run; or it might not support TLS: set url to mqtt://"
            #expect(reasons.allSatisfy { ["connection refused", unspecific].contains($0) }, "\(reasons)")
            await fixture.close()
        }
    }

    private enum Authority {
        case theHost, another, theSystem
    }

    /// Returns the reason for a failure to connect to localhost, which must be the same at the second attempt.
    private func failure(certificateFor host: String, trusting: Authority = .theHost) throws -> String {
        var options = Broker.Options()
        options.certifiedHost = host
        let broker = try Broker(options)
        let authority =
            switch trusting {
            case .theHost: broker.certificates?.authority
            case .another: try Certificates(for: "another.example", in: broker.folder).authority
            case .theSystem: String?.none
            }
        return try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
                $0.tls = TLS(authorities: authority)
            }
            let reasons = await [fixture.disconnected(), fixture.disconnected()]
            #expect(reasons[0] == reasons[1])
            await fixture.close()
            #expect(fixture.client.statistics.connections == 0)
            return reasons[0]
        }
    }
}
