import Configuration
import JSON

/// Calls the JSON gateway of etcd (version 3.4 or later), and uses one node until it fails.
///
/// Source: https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/. Keys and values are base64; integers of 64 bits are texts.
final class EtcdClient {
    /// The time limits of one call to one node, in milliseconds.
    struct Limits {
        /// Two nodes can fail before the decider stops.
        var call = 600
        /// A node calculates the hash of the password (bcrypt), which takes long on small computers.
        var login = 5000
    }

    private let limits: Limits
    private let nodes: [String]
    private let login: Login?
    private let connection: HTTPConnection
    /// The node that has answered last.
    private var node = 0
    /// The token of the login; nil: not logged in.
    private var token: String?

    private struct Login {
        let user: String
        let passwordFile: SecretFile
    }

    /// - Throws: `SeatError` if libcurl is not installed.
    init(_ settings: Configuration.Share.Seat, _ limits: Limits) throws(SeatError) {
        self.limits = limits
        nodes = settings.nodes
        connection = try HTTPConnection(authorities: settings.caFile)
        if let user = settings.user, let file = settings.passwordFile {
            login = Login(user: user, passwordFile: file)
        } else {
            login = nil
        }
    }

    /// Calls a function of etcd.
    ///
    /// - Parameters:
    ///   - path: The path, e.g. `/v3/kv/txn`.
    ///   - body: The parameters.
    /// - Returns: The result.
    /// - Throws: `SeatError` if no node answers, or if etcd rejects the call or the login.
    func call(_ path: String, _ body: JSON) throws(SeatError) -> JSON {
        do throws(SeatError) {
            try logIn()
            return try callNodes(path, body, limits.call)
        } catch {
            guard error.isOfLogin, login != nil else { throw error }
            // A token is valid for 5 min.
            token = nil
            try logIn()
            return try callNodes(path, body, limits.call)
        }
    }

    private func logIn() throws(SeatError) {
        guard let login, token == nil else { return }
        let password: [UInt8]
        do throws(InvalidValue) {
            password = try Secret.read(login.passwordFile.path)
        } catch {
            throw SeatError(error.message)
        }
        let result = try callNodes(
            "/v3/auth/authenticate",
            ["name": .string(login.user), "password": .string(String(decoding: password, as: UTF8.self))], limits.login)
        guard let token = result["token"]?.string, token.utf8.count < 1024,
            token.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw SeatError("\(nodes[node]): the response to the login has no token") }
        self.token = token
    }

    /// Calls one node after another until one answers.
    private func callNodes(_ path: String, _ body: JSON, _ milliseconds: Int) throws(SeatError) -> JSON {
        var failures: [String] = []
        for _ in nodes.indices {
            do throws(SeatError) {
                return try callNode(path, body, milliseconds)
            } catch {
                guard error.isOfNode else { throw error }
                failures.append(error.description)
                node = (node + 1) % nodes.count
            }
        }
        throw SeatError(failures.joined(separator: "; "), isOfNode: true)
    }

    private func callNode(_ path: String, _ body: JSON, _ milliseconds: Int) throws(SeatError) -> JSON {
        let url = nodes[node] + path
        let (status, bytes) = try connection.post(
            body.description, to: url, token: token, within: milliseconds)
        let result = try? JSON(parsing: bytes, limit: bytes.count)
        guard status == 200, let result, result.object != nil else {
            let reason = result?["message"]?.string ?? result?["error"]?.string ?? "status \(status)"
            throw SeatError(
                "\(url): \(status == 200 ? "the response is no JSON object" : String(reason.prefix(200)))",
                // 5xx: the node has no leader, or starts.
                isOfNode: status >= 500 || status == 200 || status == 404, isOfLogin: status == 401)
        }
        return result
    }
}
