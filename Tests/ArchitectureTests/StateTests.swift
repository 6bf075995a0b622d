import Foundation
import Testing

/// State lives with its rules: what a type stores, only the file of that type writes.
@Suite struct StateTests {
    private static func properties(in room: String) throws -> [StoredProperty] {
        try Sources.files(in: room).flatMap { file in
            try StoredProperty.all(
                in: String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
        }
    }

    @Test(arguments: Sources.rooms)
    func `no stored variable of a class or actor is writable outside its file`(room: String) throws {
        let exposed = try Self.properties(in: room).filter { !$0.isConstant && !$0.isWrittenInItsFileOnly }
        let list = exposed.map { "\($0.file): \($0.ownerKind) \($0.owner).\($0.name)" }
        #expect(list.isEmpty, "\(list.count) in \(room):\n\(list.joined(separator: "\n"))")
    }
}

@Suite struct StoredPropertyTests {
    private func names(_ source: String) -> [String] {
        StoredProperty.all(in: source, file: "").map { property in
            let access = property.isWrittenInItsFileOnly ? "private " : ""
            return "\(access)\(property.isConstant ? "let" : "var") \(property.owner).\(property.name)"
        }
    }

    @Test func `stored properties are found in classes and actors, not in structs, functions or closures`() {
        let source = """
            @safe package actor Device: LoopBound {
                nonisolated let loop: EventLoop
                private var session: Session
                package private(set) var state = State.idle {
                    didSet { changed() }
                }
                var open: [String: Int] = [:]
                static var shared = 1
                var text: String { "{ let x = 1" }
                var computed: Int {
                    let local = 2
                    return local
                }
                /* var hidden = 1 */
                // var commented = 1
                struct Inner {
                    var free = 1
                }
                final class Box {
                    weak var owner: Device?
                    private lazy var lazyOne = make { var x = 1 }
                }
                init() {
                    var temporary = 1
                }
            }
            """
        #expect(
            names(source) == [
                "let Device.loop", "private var Device.session", "private var Device.state", "var Device.open",
                "var Box.owner", "private var Box.lazyOne",
            ])
    }
}
