import Foundation
import Testing

/// A name means one thing in all rooms.
@Suite struct NameTests {
    /// The names of types that two rooms share, with the reason.
    private static let explained: [Set<String>: (reason: String, names: Set<String>)] = [
        ["BlueZ", "Simulator"]: (
            "the simulator is the other side of the same objects",
            ["BlueZError", "BluetoothdVersion", "ConnectionAttempt", "Peripheral", "PeripheralEvent"]
        ),
        ["DBus", "MQTT"]: ("both protocols have connections and messages", ["Connection", "Message"]),
        ["BlueZ", "MQTT"]: ("both protocols have subscriptions", ["Subscription"]),
    ]

    @Test func `two rooms share the name of a type only for a reason`() throws {
        let rooms = try Self.rooms()
        for (name, owners) in rooms where owners.count > 1 {
            #expect(Self.explained[owners]?.names.contains(name) == true, "\(name) is a type of \(owners.sorted())")
        }
        for (owners, entry) in Self.explained {
            for name in entry.names { #expect(rooms[name] == owners, "\(name): \(entry.reason)") }
        }
    }

    /// The rooms of each type at the left margin that other files of its room can use.
    private static func rooms() throws -> [String: Set<String>] {
        var rooms: [String: Set<String>] = [:]
        for room in Sources.rooms {
            for file in Sources.files(in: room) {
                let code = SourceText.withoutTextAndComments(try String(contentsOf: file, encoding: .utf8))
                for match in code.matches(of: SourceText.typeDeclaration) {
                    rooms[String(match.1), default: []].insert(room)
                }
            }
        }
        return rooms
    }
}
