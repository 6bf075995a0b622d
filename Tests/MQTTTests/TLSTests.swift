import EventLoop
import Foundation
import MQTT
import TestSupport
import Testing

@Suite struct TLSTests {
    @Test func `a broker whose certificate is right is trusted`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
                $0.tls = TLS(authorities: certificates.authority)
            }
            await session.subscribe(to: "a")
            let texts = (0..<200).map { "\($0) " + String(repeating: "x", count: 1000) }
            for text in texts {
                session.client.publish(Message("a", text: text), keeping: .each)
            }
            #expect(await session.texts(texts.count) == texts)
            broker.kill()
            _ = await session.disconnected()
            try broker.start()
            await session.subscribed()
            await session.client.close()
        }
    }

    @Test func `a key that does not belong to the certificate is called that`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        let key = broker.folder.path("localhost.authority.key")
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) {
                $0.tls = TLS(
                    authorities: certificates.authority,
                    identity: .init(certificate: certificates.certificate, key: key))
            }
            let reason = "it is no key, or not the one that belongs to cert_file"
            #expect(await session.disconnected() == "Unable to load client key file \"\(key)\": \(reason)")
            await session.client.close()
        }
    }

    @Test func `a broker that asks for a certificate gets it`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        options.asksForCertificates = true
        let broker = try Broker(options)
        let certificates = try #require(broker.certificates)
        try EventLoop.run { home in
            let tls = TLS(authorities: certificates.authority)
            let stranger = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
                $0.tls = tls
            }
            _ = await stranger.disconnected()
            await stranger.client.close()
            #expect(stranger.client.statistics.connections == 0)
            let friend = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
                $0.tls = TLS(
                    authorities: certificates.authority,
                    identity: .init(certificate: certificates.certificate, key: certificates.key))
            }
            await friend.connected()
            await friend.client.close()
        }
    }

    @Test func `a certificate for another host is not accepted`() throws {
        #expect(try failure(certificateFor: "elsewhere.example").hasPrefix("host name verification failed: "))
    }

    private static let untrusted = ": ca_file must hold the authority that signed the certificate"

    @Test func `a certificate of an unknown authority is not accepted`() throws {
        #expect(try failure(certificateFor: "localhost", trusting: .another).hasSuffix(Self.untrusted))
    }

    @Test func `the system's authorities do not know the test's`() throws {
        #expect(try failure(certificateFor: "localhost", trusting: .theSystem).hasSuffix(Self.untrusted))
    }

    @Test(arguments: ["ca-certificates.crt", "ca-bundle.crt"])
    func `what the system trusts counts where it stands in one file only`(name: String) throws {
        try trustsSystem { folder, authority in try folder.write(authority, to: name) }
    }

    @Test func `what the system trusts counts where each has a file of its own`() throws {
        try trustsSystem { folder, authority in
            try folder.write(authority, to: "authority.pem")
            try folder.write("", to: "ca-certificates.crt")
            #expect(try Command("openssl", ["rehash", folder.path]).wait() == .code(0))
        }
    }

    /// Connects to a broker whose authority is what the system trusts.
    private func trustsSystem(_ fill: (_ folder: TemporaryFolder, _ authority: String) throws -> Void) throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = try #require(broker.certificates?.authority)
        try fill(folder, String(contentsOfFile: authority, encoding: .utf8))
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
                $0.tls = TLS()
                $0.tls?.systemAuthorities = folder.path
            }
            let failure = await session.next { event in
                switch event {
                case .connected: ""
                case .disconnected(let reason, _): reason
                default: nil
                }
            }
            #expect(failure.isEmpty)
            await session.client.close()
        }
    }

    @Test func `a broker without TLS is not taken for one`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.tls = TLS() }
            #expect(await session.disconnected().contains("it may speak no TLS: set url to mqtt://"))
            await session.client.close()
            #expect(session.client.statistics.connections == 0)
        }
    }

    @Test func `a broker without TLS that hangs up politely is not taken for one either`() throws {
        try EventLoop.run { home in
            var hangUp = {}
            let broker = try FakeBroker(on: home.loop) { _, _ in
                hangUp()
                return []
            }
            hangUp = { [unowned broker] in broker.hangUp() }
            let session = try Session(broker.port, on: home.loop) { $0.tls = TLS() }
            let reason = await session.disconnected()
            #expect(reason.contains("it may speak no TLS: set url to mqtt://"), "\(reason)")
            await session.client.close()
        }
    }

    @Test func `a broker with TLS is suspected where one without hangs up`() throws {
        var options = Broker.Options()
        options.certifiedHost = "localhost"
        let broker = try Broker(options)
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            let reason = "the broker has closed the connection: it may want TLS: set url to mqtts://"
            #expect(await session.disconnected() == reason)
            await session.client.close()
        }
    }

    @Test func `where nobody listens, TLS fails as fast as anything`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.tls = TLS() }
            let reasons = await [session.disconnected(), session.disconnected()]
            #expect(reasons == ["connection refused", "connection refused"])
            await session.client.close()
        }
    }

    private enum Authority {
        case theHost, another, theSystem
    }

    /// Connects to localhost and gives the reason for the failure, which must be the same at the second attempt.
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
            let session = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
                $0.tls = TLS(authorities: authority)
            }
            let reasons = await [session.disconnected(), session.disconnected()]
            #expect(reasons[0] == reasons[1])
            await session.client.close()
            #expect(session.client.statistics.connections == 0)
            return reasons[0]
        }
    }
}
