import Codec
import Glibc
import System

extension Configuration.Dashboard {
    enum Keys {
        static let listen = Key(
            "listen", .oneOrMore(Kind<ListenAddress>.listenAddress), default: "127.0.0.1:2583",
            "The address and the port of the page, unix: and the path of a socket, or a list of up to 8. Every address "
                + "that other machines reach needs a password_file.")
        static let passwordFile = Key(
            "password_file", Kind<SecretFile>.pagePassword, example: "/etc/bluefleet/page.password",
            "The file with the password of the page, of 8 characters or more, that only the dashboard can read.")
        static let access = Key(
            "access", Kind<Access>.word, default: "full",
            "Whether the page carries out requests (full) or only shows (read).")
        static let names = Key(
            "names", .list(of: .hostName, example: "[bluefleet.lan]"), default: "[]", example: "[bluefleet.lan]",
            "Further names under which the page is called; its addresses, localhost and the name of the machine are "
                + "always accepted.")
        static let trustedProxies = Key(
            "trusted_proxies", .list(of: Kind<IPNetwork>.proxy, example: "[172.30.32.2]"), default: "[]",
            example: "[172.30.32.2]",
            "The addresses or networks of proxies that have asked for a password already: the page asks them for none, and "
                + "they may call it by any name.")
        static let metrics = Key(
            "metrics", Kind<Metrics>.metrics, default: "all",
            "The metrics at /metrics: all, devices (without measured values), gateways (without devices), or none.")
        static let history = Key(
            "history", Kind<Duration>.history, default: "24h",
            "How long values are kept for the plots, up to 7d; off: they are not kept.")
        static let historyDirectory = Key(
            "history_directory", .path, default: "/var/lib/bluefleet-dashboard", "The folder of the history.")
        static let username = Key(
            "mqtt_username", .username, example: "bluefleet-dashboard",
            "The user name of the dashboard at the broker; that of mqtt if left out.")
        static let brokerPasswordFile = Key(
            "mqtt_password_file", Kind<SecretFile>.readByDashboard, example: "/etc/bluefleet/dashboard.password",
            "The file with the password of mqtt_username.")

        static let section = Section(
            "dashboard", listen, passwordFile, access, names, trustedProxies, metrics, history, historyDirectory,
            username,
            brokerPasswordFile, example: "{listen: 127.0.0.1:2583}",
            advice: [
                "tls": "a proxy with TLS passes the page on: add its address to trusted_proxies",
                "ssl": "a proxy with TLS passes the page on: add its address to trusted_proxies",
                "enabled": "bluefleet dashboard is a program of its own: remove the key",
                "username": "the page has a password only; for the broker, write mqtt_username",
                "port": "write listen: 127.0.0.1:PORT", "host": "write listen: HOST:PORT",
                "address": "did you mean 'listen'?", "bind": "did you mean 'listen'?",
                "password": "write the password into a file, and the path of the file into password_file",
                "auth_token": "write the password into a file, and the path of the file into password_file",
                "proxies": "did you mean 'trusted_proxies'?", "hosts": "did you mean 'names'?",
                "readings": "write metrics: devices to leave measured values out",
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let dashboard = Configuration.Dashboard(
            listen: reader[Keys.listen], passwordFile: reader[Keys.passwordFile], access: reader[Keys.access],
            names: reader[Keys.names], trustedProxies: reader[Keys.trustedProxies], metrics: reader[Keys.metrics],
            history: reader[Keys.history], historyDirectory: reader[Keys.historyDirectory],
            username: reader[Keys.username], brokerPasswordFile: reader[Keys.brokerPasswordFile])
        dashboard.check(reader)
        return dashboard
    }

    private func check(_ reader: MappingReader) {
        if listen.isEmpty || listen.count > 8 {
            reader.report("expected 1 to 8 addresses, found \(listen.count)", at: Keys.listen)
        }
        if !reader.has(Keys.passwordFile), let open = listen.first(where: { !$0.isLocal }) {
            reader.report(
                "other machines reach \(open): add password_file, or listen on 127.0.0.1 only", at: Keys.listen)
        }
        if reader.has(Keys.brokerPasswordFile), !reader.has(Keys.username) {
            reader.report("mqtt_password_file needs mqtt_username: add it", at: Keys.brokerPasswordFile)
        }
    }

    /// The smallest number of characters of the page's password.
    private static let shortestPassword = 8

    /// Reads the password of the page.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func password(_ path: String) throws(InvalidValue) -> [UInt8] {
        let password = try Secret.read(path)
        guard String(decoding: password, as: UTF8.self).count >= shortestPassword else {
            throw "\(path): the password has fewer than \(shortestPassword) characters: use a longer one"
        }
        guard !Kind<String>.isReadableByOthers(path) else {
            throw "every user can read \(path): sudo chmod o-r \(path)"
        }
        return password
    }
}

extension Kind where Value == ListenAddress {
    fileprivate static var listenAddress: Kind {
        scalar("address") { text, _ throws(InvalidValue) in try ListenAddress(text: text) }
    }
}

extension Kind where Value == IPNetwork {
    fileprivate static var proxy: Kind {
        scalar("address or network") { text, _ throws(InvalidValue) in
            guard let network = IPNetwork(text) else {
                throw "expected an address or a network, e.g. 172.30.32.0/23, found \(text.quotedForMessage)"
            }
            guard network.length > 0 else { throw "\(text) is every address: the page would never ask for a password" }
            return network
        }
    }
}

extension Kind where Value == String {
    fileprivate static var hostName: Kind {
        text.map("host name") { text throws(InvalidValue) in
            let isName = text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            }
            guard isName else {
                throw "expected a name such as bluefleet.lan, without scheme and port, found \(text.quotedForMessage)"
            }
            return text.lowercased()
        }
    }
}

extension Kind where Value == SecretFile {
    /// The path of a file that the user of the dashboard reads, and the user of the bridge may not be able to read.
    fileprivate static var readByDashboard: Kind {
        Kind<String>.path.map("file") { SecretFile($0) }
    }

    /// The file with the password of the page, whose contents must be valid if this process can read the file.
    fileprivate static var pagePassword: Kind {
        Kind("file") { node, mistakes in
            guard let file = readByDashboard.read(node, mistakes) else { return nil }
            guard mistakes.checksFiles, unsafe access(file.path, R_OK) == 0 else { return file }
            do throws(InvalidValue) {
                _ = try Configuration.Dashboard.password(file.path)
            } catch {
                mistakes.reportFile(error.message, at: node.position)
            }
            return file
        }
    }
}

extension Kind where Value == Configuration.Dashboard.Metrics {
    fileprivate static var metrics: Kind {
        scalar("all | devices | gateways | none") { text, _ throws(InvalidValue) in
            switch text {
            case "all", "true": return .all
            case "devices": return .devices
            case "gateways": return .gateways
            case "none", "false": return .nothing
            default: throw InvalidValue(expected: ["all", "devices", "gateways", "none"], found: text)
            }
        }
    }
}

extension Kind where Value == Duration {
    fileprivate static var history: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in
            if ["off", "0"].contains(text) { return .zero }
            if ["none", "no", "false", "never", "disabled"].contains(text) {
                throw "expected a duration from 1h to 7d, or off, found \(text.quotedForMessage): write off"
            }
            let duration = try Duration(text: text)
            guard duration == .zero || (.seconds(3600) ... .seconds(7 * 86_400)).contains(duration) else {
                throw "expected a duration from 1h to 7d, or off, found \(text.quotedForMessage)"
            }
            return duration
        }
    }
}
