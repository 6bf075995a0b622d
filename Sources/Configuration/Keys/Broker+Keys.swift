import Codec

extension Configuration.Broker {
    enum Keys {
        static let url = Key(
            "url", Kind<BrokerNodes>.nodes, default: "mqtt://localhost:1883", example: "mqtts://broker.example:8883",
            "The address of the broker: mqtt://, mqtts:// for TLS, or unix:// and the path of a socket. For a cluster, a "
                + "list of the addresses of its nodes, which are tried in turn: [mqtt://broker1, mqtt://broker2].")
        static let protocolVersion = Key(
            "protocol",
            .choice(
                ["5": ProtocolVersion.five, "3.1.1": .threeOneOne],
                synonyms: [
                    "3": "3.1.1", "3.1": "3.1.1", "311": "3.1.1", "4": "3.1.1", "v3": "3.1.1", "v3.1.1": "3.1.1",
                    "mqttv3": "3.1.1", "mqttv311": "3.1.1", "5.0": "5", "v5": "5", "mqttv5": "5",
                ]), default: "5",
            "The version of MQTT.")
        static let prefix = Key("prefix", .topic, default: "bluefleet", "The first levels of every topic.")
        static let username = Key("username", .username, example: "bluefleet", "The user name for the login.")
        static let passwordFile = Key(
            "password_file", .secret(Secret.read), example: "/etc/bluefleet/mqtt.password",
            "The file with the password.")
        static let caFile = Key(
            "ca_file", .file(holding: PEM.checkCertificates), example: "/etc/ssl/certs/ca-certificates.crt",
            "The certificate authorities for the broker's certificate; those of the system if left out.")
        static let certFile = Key(
            "cert_file", .file(holding: PEM.checkCertificates), example: "/etc/bluefleet/client.crt",
            "The client certificate, for brokers that require one.")
        static let keyFile = Key(
            "key_file", .secret(holding: PEM.checkPrivateKey),
            example: "/etc/bluefleet/client.key", "The private key of the client certificate.")
        static let qos = Key(
            "qos", .integer(0...2), default: "1", "The quality of service (QoS) of published messages, 0 to 2.")
        static let publishRate = Key(
            "publish_rate", .integer(1...100_000), example: "50",
            "The maximum number of messages per second, for a broker that limits it; no limit if left out.")

        private static let passwordAdvice =
            "write the password into a file, and the path of the file into password_file"

        static let section = Section(
            "mqtt", url, protocolVersion, prefix, username, passwordFile, caFile, certFile, keyFile, qos, publishRate,
            example: "{url: mqtt://localhost:1883}",
            advice: [
                "hostname": "write url: mqtt://HOST", "uri": "did you mean 'url'?", "passwd": Self.passwordAdvice,
                "pass": Self.passwordAdvice, "topic_prefix": "write prefix: NAME", "root_topic": "write prefix: NAME",
                "ca_cert": "did you mean 'ca_file'?", "ca": "did you mean 'ca_file'?",
                "cert": "did you mean 'cert_file'?", "client_cert": "did you mean 'cert_file'?",
                "lwt": "the last will is the topic state of the gateway: remove the key",
                "will": "the last will is the topic state of the gateway: remove the key",
                "clean_session": "the broker keeps no session: remove the key",
                "clean_start": "the broker keeps no session: remove the key",
                "timeout": "it is always 15 s for a connection: remove the key",
                "reconnect": "the gateway always connects again: remove the key",
                "reject_unauthorized": "write the certificate of the broker's authority into ca_file",
                "verify": "write the certificate of the broker's authority into ca_file",
                "websocket": "MQTT over WebSockets is not supported: write url: mqtt://HOST or mqtts://HOST",
                "urls": "write url: [mqtt://HOST1, mqtt://HOST2]", "nodes": "write url: [mqtt://HOST1, mqtt://HOST2]",
                "host": "write url: mqtt://HOST", "server": "write url: mqtt://HOST",
                "broker": "write url: mqtt://HOST",
                "port": "write url: mqtt://HOST:PORT", "tls": "write url: mqtts://HOST",
                "ssl": "write url: mqtts://HOST",
                "user": "did you mean 'username'?", "topic": "write prefix: NAME", "base_topic": "write prefix: NAME",
                "rate": "did you mean 'publish_rate'?", "version": "write protocol: 5",
                "discovery": "it belongs into home_assistant", "retain": "it belongs into a characteristic",
                "insecure": "write the certificate of the broker's authority into ca_file",
                "tls_insecure": "write the certificate of the broker's authority into ca_file",
                "client_id": "it is derived from the name of the gateway: write gateway: NAME",
                "keepalive": "it is always 30 s: remove the key", "keep_alive": "it is always 30 s: remove the key",
                "password": Self.passwordAdvice,
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let broker = Configuration.Broker(
            nodes: reader[Keys.url], protocolVersion: reader[Keys.protocolVersion], prefix: reader[Keys.prefix],
            username: reader[Keys.username], passwordFile: reader[Keys.passwordFile], caFile: reader[Keys.caFile],
            certFile: reader[Keys.certFile], keyFile: reader[Keys.keyFile], qos: reader[Keys.qos],
            publishRate: reader[Keys.publishRate])
        broker.check(reader)
        return broker
    }

    private func check(_ reader: MappingReader) {
        let unprotected = nodes.endpoints.lazy.compactMap(\.unprotectedHost).first
        if let unprotected, passwordFile != nil {
            reader.warn(
                "the password crosses the network without encryption: use mqtts://\(unprotected) and ca_file",
                at: Keys.url)
        }
        // A broker on the same machine needs no TLS: ca_file may stay there, as in the example of the documents.
        let keysOfTLS = unprotected == nil ? [Keys.certFile] : [Keys.caFile, Keys.certFile]
        for key in keysOfTLS where !nodes.isEncrypted && reader.has(key) {
            reader.warn("\(key.row.name) has no effect without TLS: write mqtts:// in url", at: key)
        }
        if reader.has(Keys.certFile) != reader.has(Keys.keyFile) {
            let given = reader.has(Keys.certFile) ? Keys.certFile : Keys.keyFile
            reader.report("a client certificate needs both cert_file and key_file", at: given)
        }
        if reader.has(Keys.passwordFile), !reader.has(Keys.username) {
            switch protocolVersion {
            case .threeOneOne:
                reader.report(
                    "MQTT 3.1.1 does not allow a password without a user name: add username", at: Keys.passwordFile)
            case .five:
                reader.warn(
                    "most brokers require a user name with the password: add username", at: Keys.passwordFile)
            }
        }
    }
}

extension Kind where Value == String {
    /// A valid text in MQTT (MQTT 5, 1.5.4).
    static var username: Kind {
        text.map { text throws(InvalidValue) in
            guard text.utf8.count <= 0xFFFF else { throw "a user name is limited to 65535 bytes in MQTT" }
            if let scalar = text.unicodeScalars.first(where: TopicName.isInvalidInMQTT) {
                throw "the user name contains \(String(scalar).quotedForMessage), which brokers reject"
            }
            return text
        }
    }
}

extension Kind where Value == BrokerEndpoint {
    static var url: Kind {
        scalar("URL") { text, _ throws(InvalidValue) in try BrokerEndpoint(url: text) }
    }
}

extension Kind where Value == BrokerNodes {
    /// The address of a broker, or a list of the addresses of the nodes of a cluster.
    static var nodes: Kind {
        Kind("URL, or a list of them") { node, mistakes in
            let endpoints = Kind<BrokerEndpoint>.url.readNodes(
                node, mistakes, most: BrokerNodes.most, example: "mqtt://localhost:1883", text: \.url
            ) { first, other in
                first.isEncrypted == other.isEncrypted
                    ? nil : "the nodes use TLS or none of them does: write mqtts:// for all, or for none"
            }
            return endpoints.map { BrokerNodes($0[0], Array($0.dropFirst())) }
        }
    }
}
