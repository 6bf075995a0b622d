import TestSupport
import Testing

@testable import BlueZ

@Suite struct PathTableTests {
    private let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    private func value(_ table: PathTable<Int>, bytes path: String) -> Int? {
        table[path.utf8.span]
    }

    @Test func `PathTable finds a value by a string and by bytes`() {
        var table = PathTable<Int>()
        for number in 0..<500 { table["\(path)/\(number)"] = number }
        for number in 0..<500 {
            #expect(table["\(path)/\(number)"] == number)
            #expect(value(table, bytes: "\(path)/\(number)") == number)
        }
        #expect(table[path] == nil)
        #expect(value(table, bytes: path) == nil)
        #expect(value(table, bytes: "") == nil)
    }

    @Test func `PathTable replaces and removes a value`() {
        var table = PathTable<Int>()
        table[path] = 1
        table[path] = 2
        #expect(table.values == [2])
        #expect(table.removeValue(forPath: path) == 2)
        #expect(table.removeValue(forPath: path) == nil)
        #expect(table.isEmpty)
        (table["/a"], table["/b"]) = (1, 2)
        table.removeAll { $0 == "/a" || $1 == 3 }
        #expect(table.paths == ["/b"])
    }

    @Test func `PathTable equals a dictionary after random changes`() {
        var table = PathTable<Int>()
        var dictionary: [String: Int] = [:]
        var generator = SeededGenerator(seed: 1)
        for step in 0..<20_000 {
            let path = "/\(UInt8.random(in: 0...200, using: &generator))"
            if Bool.random(using: &generator) {
                (table[path], dictionary[path]) = (step, step)
            } else {
                #expect(table.removeValue(forPath: path) == dictionary.removeValue(forKey: path))
            }
            #expect(table.count == dictionary.count)
        }
        #expect(Dictionary(uniqueKeysWithValues: zip(table.paths, table.values)) == dictionary)
        for (path, value) in dictionary { #expect(table[path] == value) }
    }

    @Test(arguments: [
        (2, "/org/bluez"), (3, "/org/bluez/hci0"), (4, "/org/bluez/hci0/dev"), (6, "/org/bluez/hci0/dev/a/b"),
    ])
    func `length(ofLevels:) returns the length of the first levels of a path`(_ count: Int, _ expected: String) {
        let length = "/org/bluez/hci0/dev/a/b".utf8.span.length(ofLevels: count)
        #expect(length == expected.utf8.count)
    }

    @Test func `isText compares all bytes`() {
        let texts = [path, path + "/", String(path.dropLast()) + "2"]
        let matches = texts.map { path.utf8.span.isText($0) }
        #expect(matches == [true, false, false])
    }
}
