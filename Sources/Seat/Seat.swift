package import Configuration
package import Contract
import EventLoop
import JSON

/// The lock in etcd that a gateway holds while it decides which gateway owns which device.
///
/// The lock is a key that etcd removes 3 s after its last renewal. Records beside it have the requests that gateways have
/// begun, and those that they have answered. Each call blocks the thread of the actor, which exists only during a call.
package actor Seat {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    private let executor = BackgroundExecutor()

    /// The lifetime of the lock in seconds: longer than a decider decides without an answer (rule 20).
    private let lifetime: Int
    /// The lifetime of a record in seconds: longer than gateways remember that a request was answered.
    private static let recordLifetime = 360
    /// The number of changes in a call: etcd allows 128 (`--max-txn-ops`).
    private static let mostChanges = 100

    private let settings: Configuration.Share.Seat
    private let limits: EtcdClient.Limits
    /// The key of the lock in etcd.
    private let lock: String
    /// The key with the process that has given the lock back, until the next one takes it.
    private let giver: String
    /// The beginning of the keys of the requests that gateways have begun.
    private let records: String
    /// The beginning of the keys of the requests that gateways have answered.
    private let answers: String
    private let process: String
    private var client: EtcdClient?
    /// The lease of the lock; nil: none is known.
    private var lease: String?
    /// Whether the caller has got the records since this process took the lock.
    private var hasReported = false

    /// - Parameters:
    ///   - settings: The nodes of etcd and the login.
    ///   - prefix: The prefix of all topics: each fleet has another one.
    ///   - process: The process that takes the seat.
    package init(_ settings: Configuration.Share.Seat, prefix: String, _ process: FleetProcess) {
        self.init(settings, prefix: prefix, process, lifetime: 3, EtcdClient.Limits())
    }

    /// Tests on a busy machine need more time.
    init(
        _ settings: Configuration.Share.Seat, prefix: String, _ process: FleetProcess, lifetime: Int,
        _ limits: EtcdClient.Limits
    ) {
        unownedExecutor = executor.asUnownedSerialExecutor()
        self.settings = settings
        self.lifetime = lifetime
        self.limits = limits
        lock = "\(prefix)/seat"
        giver = "\(prefix)/seat/given-back"
        records = "\(prefix)/begun/"
        answers = "\(prefix)/answered/"
        self.process = "\(process.gateway) \(process.start)"
    }

    /// Loads the library for the connection to etcd.
    ///
    /// - Throws: `SeatError` if it is not installed.
    package static func loadLibrary() throws(SeatError) { try HTTPConnection.loadLibrary() }

    /// The seat of this process: the recorded requests, and who held it before.
    package struct Holding: Equatable, Sendable {
        /// The recorded requests by name.
        package let begun: [String: FleetClaim]
        /// The answered requests, if this process did not hold the seat before.
        package let answered: [String]
        /// The former holder, if it has given the seat back, and this call has taken it; nil: the lock had expired, or this
        /// process has held it before.
        package let giver: FleetProcess?
    }

    /// Takes the seat, or renews it.
    ///
    /// - Returns: nil: another process has the seat.
    /// - Throws: `SeatError` if etcd does not answer, or rejects the login.
    package func take() throws(SeatError) -> Holding? {
        let lease = try currentLease()
        let begun: JSON = ["request_range": range(of: records)]
        let result = try call(
            "/v3/kv/txn",
            [
                "compare": [["key": key(lock), "target": "CREATE", "result": "EQUAL", "create_revision": "0"]],
                "success": [
                    ["request_put": ["key": key(lock), "value": key(process), "lease": .string(lease)]], begun,
                    ["request_range": ["key": key(giver)]], ["request_delete_range": ["key": key(giver)]],
                ],
                "failure": [["request_range": ["key": key(lock)]], begun],
            ])
        if result["succeeded"]?.bool != true {
            let holder = result["responses"]?[0]?["response_range"]?["kvs"]?[0]
            // The response to an earlier call may be lost.
            guard holder?["value"] == key(process), holder?["lease"]?.string == lease else { return nil }
        }
        let answered = try hasReported ? [:] : Self.values(call("/v3/kv/range", range(of: answers)), answers)
        hasReported = true
        let claims = Self.values(result["responses"]?[1]?["response_range"], records).compactMapValues { text in
            (try? JSON(parsing: text)).flatMap { FleetClaim($0) }
        }
        let giver = Self.text(result["responses"]?[2]?["response_range"]?["kvs"]?[0]?["value"])
        return Holding(begun: claims, answered: answered.keys.sorted(), giver: giver.flatMap(Self.process))
    }

    /// The parameters of a call that returns all records of a kind.
    private func range(of prefix: String) -> JSON {
        // The first key after the records: with `0`, the character after `/`, in the place of the last one.
        ["key": key(prefix), "range_end": key("\(prefix.dropLast())0"), "limit": "2000"]
    }

    /// Records requests that a gateway is about to execute, if this process has the seat.
    ///
    /// - Returns: Whether they are recorded.
    /// - Throws: `SeatError` if etcd does not answer.
    package func record(_ claims: [String: FleetClaim]) throws(SeatError) -> Bool {
        let lease = try grant(Self.recordLifetime)
        return try change(
            claims.sorted { $0.key < $1.key }.map { put(records + $0, $1.json.description, lease: lease) })
    }

    /// Records that requests have been answered, in the place of their claims, if this process has the seat.
    ///
    /// - Throws: `SeatError` if etcd does not answer.
    package func recordAnswers(_ names: [String]) throws(SeatError) {
        let lease = try grant(Self.recordLifetime)
        _ = try change(
            Set(names).sorted().flatMap { name -> [JSON] in
                [put(answers + name, "", lease: lease), ["request_delete_range": ["key": key(records + name)]]]
            })
    }

    private func put(_ name: String, _ value: String, lease: String) -> JSON {
        ["request_put": ["key": key(name), "value": key(value), "lease": .string(lease)]]
    }

    /// Gives the seat back, so that another gateway can take it at once.
    ///
    /// The process must have sent its last decision.
    package func release() {
        guard let lease else { return }
        self.lease = nil
        _ = try? change([
            ["request_put": ["key": key(giver), "value": key(process)]],
            ["request_delete_range": ["key": key(lock)]],
        ])
        _ = try? call("/v3/lease/revoke", ["ID": .string(lease)])
    }

    /// Returns the process that has the seat: its gateway and its start; nil: none has it.
    ///
    /// - Throws: `SeatError` if etcd does not answer, or rejects the login.
    package func holder() throws(SeatError) -> String? {
        let result = try call("/v3/kv/range", ["key": key(lock)])
        return Self.text(result["kvs"]?[0]?["value"])
    }

    // MARK: Calls

    private func call(_ path: String, _ body: JSON) throws(SeatError) -> JSON {
        let client: EtcdClient
        if let known = self.client { client = known } else { client = try EtcdClient(settings, limits) }
        self.client = client
        return try client.call(path, body)
    }

    /// Changes keys, if this process has the seat.
    private func change(_ changes: [JSON]) throws(SeatError) -> Bool {
        for start in stride(from: 0, to: changes.count, by: Self.mostChanges) {
            let part = changes[start..<min(start + Self.mostChanges, changes.count)]
            let result = try call(
                "/v3/kv/txn",
                [
                    "compare": [["key": key(lock), "target": "VALUE", "result": "EQUAL", "value": key(process)]],
                    "success": .array(Array(part)),
                ])
            guard result["succeeded"]?.bool == true else { return false }
        }
        return true
    }

    /// Renews the lease of the lock, or creates one.
    private func currentLease() throws(SeatError) -> String {
        if let lease {
            let result = try call("/v3/lease/keepalive", ["ID": .string(lease)])
            if let rest = result["result"]?["TTL"]?.string.flatMap({ Int($0) }), rest > 0 { return lease }
            self.lease = nil
        }
        let lease = try grant(lifetime)
        self.lease = lease
        hasReported = false
        return lease
    }

    private func grant(_ seconds: Int) throws(SeatError) -> String {
        let result = try call("/v3/lease/grant", ["TTL": .string("\(seconds)")])
        guard let lease = result["ID"]?.string, Int64(lease) != nil else {
            throw SeatError("etcd has granted no lease: \(String(result.description.prefix(200)))")
        }
        return lease
    }

    // MARK: Texts

    /// Returns the values of records in the result of a call, by name.
    private static func values(_ result: JSON?, _ prefix: String) -> [String: String] {
        var values: [String: String] = [:]
        for entry in result?["kvs"]?.array ?? [] {
            guard let name = text(entry["key"]), name.hasPrefix(prefix) else { continue }
            // etcd omits an empty value.
            values[String(name.dropFirst(prefix.count))] = text(entry["value"]) ?? ""
        }
        return values
    }

    /// Parses the text of a process: its gateway and its start.
    private static func process(_ text: String) -> FleetProcess? {
        guard let space = text.lastIndex(of: " ") else { return nil }
        return FleetProcess(gateway: String(text[..<space]), start: String(text[text.index(after: space)...]))
    }

    private func key(_ text: String) -> JSON { .string(Base64.encode(Array(text.utf8))) }

    private static func text(_ json: JSON?) -> String? {
        json?.string.flatMap { Base64.decode($0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
