import Foundation
import Testing

/// The tables of types at the head of a folder: each one lists every type of its folder, and no other type.
///
/// A table is a comment whose first column has the heading `type`. A name in it can have the room or the folder of the type in
/// parentheses, if that is another one.
@Suite struct TypeTableTests {
    /// The table of one folder.
    struct Table: CustomStringConvertible {
        /// The path of the folder, such as `Bridge/Device`.
        let folder: String
        /// The paths of the files that have the rows.
        let files: [String]
        /// The listed types of the folder.
        let names: Set<String>
        /// The listed types of other folders, and their rooms or folders.
        let others: [(name: String, place: String)]
        /// The types of the folder that other files can use; types in extensions and in other types are not among them.
        let types: Set<String>

        var description: String { folder }
    }

    static let tables: [Table] = Sources.rooms.flatMap { room in
        Dictionary(grouping: Sources.files(in: room)) { $0.deletingLastPathComponent() }
            .compactMap { Table(of: $0.key, $0.value) }
    }.sorted { $0.folder < $1.folder }

    private static let files = Sources.rooms.flatMap { Sources.files(in: $0) }

    @Test func `the folders with many types have a table, and Sources/README.md names its file`() throws {
        let folders = Set(Self.tables.map(\.folder))
        #expect(
            folders.isSuperset(of: [
                "Bridge/Device", "Contract/Events", "Contract/Fleet", "Contract/Payloads", "Contract/Reference",
                "Contract/Requests", "Contract/Topics",
            ]))
        let file = Sources.root.appending(path: "Sources/README.md")
        let readme = try String(contentsOf: file, encoding: .utf8)
        for table in Self.tables where table.folder.hasPrefix("Bridge/") || table.folder.hasPrefix("Contract/") {
            #expect(table.files.count == 1, "\(table.files)")
            // In the document, the room is before the list of its files.
            let path = table.files[0].split(separator: "/").dropFirst().joined(separator: "/")
            #expect(readme.contains("`\(path)`"), "\(table.files[0])")
        }
    }

    @Test(arguments: tables)
    func `a table lists each type of its folder`(table: Table) {
        let missing = table.types.subtracting(table.names).sorted()
        #expect(missing.isEmpty, "\(table.files) has no row for \(missing)")
    }

    @Test(arguments: tables)
    func `each type in a table exists`(table: Table) {
        // Of a nested type, such as `GatewayEvent.Kind`, the outer one is a type of the folder.
        let unknown = table.names.filter { !table.types.contains(String($0.prefix { $0 != "." })) }.sorted()
        #expect(unknown.isEmpty, "\(table.folder) has no type \(unknown)")
        for (name, place) in table.others {
            let files = Self.files.filter { $0.lastPathComponent == "\(name).swift" }
            #expect(files.contains { $0.pathComponents.contains(place) }, "\(place) has no file \(name).swift")
        }
    }
}

extension TypeTableTests.Table {
    /// - Returns: nil if no file of the folder has a table.
    fileprivate init?(of folder: URL, _ files: [URL]) {
        let root = Sources.root.appending(path: "Sources").path.count + 1
        var (homes, names): ([String], Set<String>) = ([], [])
        var others: [(name: String, place: String)] = []
        for file in files {
            let cells = Self.cells(in: file)
            if !cells.isEmpty { homes.append(String(file.path.dropFirst(root))) }
            for cell in cells {
                let listed = cell.matches(of: /`([\w.]+)`/).map { String($0.1) }
                if let place = cell.firstMatch(of: /\((\w+)\)/) {
                    others += listed.map { (name: $0, place: String(place.1)) }
                } else {
                    names.formUnion(listed)
                }
            }
        }
        guard !homes.isEmpty else { return nil }
        var types: Set<String> = []
        for file in files {
            let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let code = SourceText.withoutTextAndComments(source)
            types.formUnion(code.matches(of: SourceText.typeDeclaration).map { String($0.1) })
        }
        self.init(
            folder: String(folder.path.dropFirst(root)), files: homes, names: names, others: others, types: types)
    }

    /// The beginning of a table; most files are searched only for it.
    private static let mark = Data("// | type ".utf8)

    /// Returns the cells of the first column of each table in a file, without the heading.
    private static func cells(in file: URL) -> [Substring] {
        guard let data = try? Data(contentsOf: file), data.range(of: mark) != nil else { return [] }
        let text = String(decoding: data, as: UTF8.self)
        return text.matches(of: /(?m)^\/{2,3} \| type +\|.*\n((?:\/{2,3} \|.*\n)+)/).flatMap { table in
            table.1.split(separator: "\n").map { $0.split(separator: "|")[1] }
        }
    }
}
