import Codec

extension Configuration.Share.Seat {
    enum Keys {
        static let etcd = Key(
            required: "etcd", .etcdNodes, example: "[http://a:2379, http://b:2379, http://c:2379]",
            "The addresses of the nodes of etcd 3.4 or later, http:// or https://, tried in turn.")
        static let user = Key("user", .username, example: "bluefleet", "The user of etcd, if it requires a login.")
        static let passwordFile = Key(
            "password_file", .secret(Secret.read), example: "/etc/bluefleet/etcd.password",
            "The file with the password.")
        static let caFile = Key(
            "ca_file", .file(holding: PEM.checkCertificates), example: "/etc/ssl/certs/ca-certificates.crt",
            "The certificate authorities for the certificates of the nodes; those of the system if left out.")

        static let section = Section(
            "seat", etcd, user, passwordFile, caFile, example: "{etcd: [http://a:2379]}",
            advice: Dictionary(
                uniqueKeysWithValues: ["consul", "zookeeper", "redis", "raft", "kubernetes"].map {
                    ($0, "etcd is the only engine: write etcd: [http://HOST:2379]")
                } + [
                    ("username", "did you mean 'user'?"), ("nodes", "did you mean 'etcd'?"),
                    ("url", "did you mean 'etcd'?"),
                    ("password", "write the password into a file, and the path of the file into password_file"),
                ]))
    }

    static let kind = Kind<Configuration.Share.Seat>.mapping(Keys.section) { reader in
        let (user, passwordFile) = (reader[Keys.user], reader[Keys.passwordFile])
        if reader.has(Keys.user) != reader.has(Keys.passwordFile) {
            let given = reader.has(Keys.user) ? "user" : "password_file"
            reader.mistakes.report("a login needs both user and password_file, found \(given)", at: reader.position)
        }
        guard let nodes = reader[Keys.etcd] else { return nil }
        if passwordFile != nil, nodes.contains(where: { $0.hasPrefix("http:") }) {
            reader.warn("the password crosses the network without encryption: use https:// and ca_file", at: Keys.etcd)
        }
        return Configuration.Share.Seat(
            nodes: nodes, user: user, passwordFile: passwordFile, caFile: reader[Keys.caFile])
    }
}

extension Kind where Value == [String] {
    /// The addresses of the nodes of etcd, or one of them.
    fileprivate static var etcdNodes: Kind {
        Kind("URL, or a list of them") { node, mistakes in
            Kind<String>.etcdNode.readNodes(
                node, mistakes, most: Configuration.Share.Seat.mostNodes, example: "http://localhost:2379", text: \.self
            )
        }
    }
}

extension Kind where Value == String {
    /// The address of a node of etcd: `http://HOST[:PORT]` or `https://HOST[:PORT]`.
    fileprivate static var etcdNode: Kind {
        scalar("URL") { text, _ throws(InvalidValue) in
            guard let (scheme, rest) = text.cut(at: "://"), ["http", "https"].contains(scheme.lowercased()) else {
                throw "expected a URL such as http://localhost:2379, found \(text.quotedForMessage)"
            }
            let authority = try URLAuthority(
                rest, example: "http://localhost:2379", userAdvice: "set user and password_file")
            let host = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
            return "\(scheme.lowercased())://\(host):\(authority.port ?? 2379)"
        }
    }
}
