import Bluetooth
import Codec
import Devices
import JSON
import System

/// The store of the progress of the devices' questions: the file `questions.json` in the state folder.
///
/// Without it, the records of the last day would be published again after a restart, and Home Assistant would remove the
/// entities of numbered questions until they are answered again.
struct QuestionStore {
    private var file: StateFile
    private var memories: [Address: QuestionMemory] = [:]

    /// Loads the memories that an earlier run has stored.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile("questions.json", of: "the progress of the histories", in: folder, observer: observer)
        for member in file.read()?.object ?? [:] {
            if let address = Address(member.name) { memories[address] = QuestionMemory(member.value) }
        }
    }

    /// The memory of a device.
    subscript(address: Address) -> QuestionMemory { memories[address] ?? QuestionMemory() }

    /// Stores the memories if they have changed; forgets those of all other devices.
    mutating func save(_ now: [Address: QuestionMemory]) {
        guard now != memories || file.isFailing else { return }
        memories = now
        let members = now.sorted { $0.key.value < $1.key.value }.map { ("\($0.key)", $0.value.json) }
        file.store(.object(JSON.Object(members)), orLog: "the progress of the histories is not stored")
    }
}

extension QuestionMemory {
    /// - Parameter json: The stored memory; values that are damaged count as unknown.
    fileprivate init(_ json: JSON) {
        self.init(
            histories: Self.members(of: json["histories"]) { HistoryMemory($0) },
            numbers: Self.members(of: json["numbers"]) { ($0.array ?? []).compactMap(\.int) })
    }

    private static func members<Value>(of json: JSON?, _ value: (JSON) -> Value) -> [String: Value] {
        Dictionary((json?.object ?? [:]).map { ($0.name, value($0.value)) }) { first, _ in first }
    }

    fileprivate var json: JSON {
        [
            "histories": Self.object(histories, \.json),
            "numbers": Self.object(numbers) { .array($0.map { .number($0) }) },
        ]
    }

    private static func object<Value>(_ values: [String: Value], _ json: (Value) -> JSON) -> JSON {
        .object(JSON.Object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
    }
}

extension HistoryMemory {
    fileprivate init(_ json: JSON) {
        let numbers = (json["last"]?.object ?? [:]).compactMap { member in
            member.value.number.flatMap { Decimal($0.text) }.map { (member.name, $0) }
        }
        self.init(
            since: json["since"]?.int.map { Int64($0) }, asked: json["asked"]?.int.map { Int64($0) },
            last: Dictionary(numbers) { first, _ in first })
    }

    /// The memory as a JSON object; times are in seconds since 1970.
    fileprivate var json: JSON {
        var members: JSON.Object = [:]
        members.add("since", since.map { .number($0) })
        members.add("asked", asked.map { .number($0) })
        if !last.isEmpty {
            let numbers = last.sorted { $0.key < $1.key }.map { ($0.key, JSON(Value.number($0.value))) }
            members["last"] = .object(JSON.Object(numbers))
        }
        return .object(members)
    }
}
