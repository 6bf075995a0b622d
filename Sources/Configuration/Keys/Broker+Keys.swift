import Codec

extension Configuration.Broker {
    enum Keys {
        static let url = Key(
            "url", Kind<BrokerEndpoint>.url, default: "mqtt://localhost:1883", example: "mqtts://broker.example:8883",
            "Where the broker listens: mqtt://, mqtts:// for TLS, or unix:// and the path of a socket.")
        static let protocolVersion = Key(
            "protocol", .choice(["5": ProtocolVersion.five, "3.1.1": .threeOneOne]), default: "5",
            "The version of MQTT to speak.")
        static let prefix = Key("prefix", .topic, default: "bluefleet", "What every topic begins with.")
        static let username = Key("username", .username, example: "bluefleet", "The name to log in with.")
        static let passwordFile = Key(
            "password_file", .secret(Secret.read), example: "/etc/bluefleet/mqtt.password",
            "The file that holds the password.")
        static let caFile = Key(
            "ca_file", .file(holding: PEM.checkCertificates), example: "/etc/ssl/certs/ca-certificates.crt",
            "The authorities that may have signed the broker's certificate; the system's if left out.")
        static let certFile = Key(
            "cert_file", .file(holding: PEM.checkCertificates), example: "/etc/bluefleet/client.crt",
            "The client's certificate, for brokers that ask for one.")
        static let keyFile = Key(
            "key_file", .file(holding: PEM.checkPrivateKey),
            example: "/etc/bluefleet/client.key", "The private key of the client's certificate.")
        static let qos = Key(
            "qos", .integer(0...2), default: "1", "The quality of service for what is published, 0 to 2.")

        static let section = Section(
            "mqtt", url, protocolVersion, prefix, username, passwordFile, caFile, certFile, keyFile, qos)
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let broker = Configuration.Broker(
            endpoint: reader[Keys.url], protocolVersion: reader[Keys.protocolVersion], prefix: reader[Keys.prefix],
            username: reader[Keys.username], passwordFile: reader[Keys.passwordFile], caFile: reader[Keys.caFile],
            certFile: reader[Keys.certFile], keyFile: reader[Keys.keyFile], qos: reader[Keys.qos])
        broker.check(reader)
        return broker
    }

    private func check(_ reader: MappingReader) {
        if reader.has(Keys.certFile) != reader.has(Keys.keyFile) {
            let given = reader.has(Keys.certFile) ? Keys.certFile : Keys.keyFile
            reader.report("a client certificate needs both cert_file and key_file", at: given)
        }
        if protocolVersion == .threeOneOne, reader.has(Keys.passwordFile), !reader.has(Keys.username) {
            reader.report("MQTT 3.1.1 has no password without a user: add username", at: Keys.passwordFile)
        }
    }
}

extension Kind where Value == String {
    /// A text that MQTT can carry (MQTT 5, 1.5.4).
    fileprivate static var username: Kind {
        text.map { text throws(Complaint) in
            guard text.utf8.count <= 0xFFFF else { throw "a user name in MQTT has at most 65535 bytes" }
            if let scalar = text.unicodeScalars.first(where: TopicName.isRefusedAnywhere) {
                throw "the user name holds \(String(scalar).quotedForMessage), which brokers refuse"
            }
            return text
        }
    }
}

extension Kind where Value == BrokerEndpoint {
    static var url: Kind {
        scalar("URL") { text, _ throws(Complaint) in try BrokerEndpoint(url: text) }
    }
}
