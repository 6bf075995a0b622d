import BenchmarkSupport
import Foundation

/// What was asked for on the command line.
struct Options {
    static let usage = """
        usage: benchmark [--short] [--json] [--rounds N] [--only WORD] [--minutes N] [--reference COMMAND]
                         [--programs FOLDER]
               benchmark --hot-functions

          --short              fewer rounds and shorter ones, for a quick look
          --json               the table for machines
          --rounds N           how often everything is measured (5); the median counts
          --only WORD          only the figures whose name contains WORD
          --minutes N          only how the memory grows in so many minutes of flood
          --reference COMMAND  another bridge in place of the one in C, such as Tests/Benchmark/python/bridge.py
          --programs FOLDER    where bluefleet, BenchmarkReference and BenchmarkFlood are; built if left out
          --hot-functions      only what config/hot-functions.txt holds, as it is now
        """

    private(set) var isShort = false
    private(set) var writesJSON = false
    private(set) var listsHotFunctions = false
    private var givenRounds: Int?
    private(set) var only: String?
    private(set) var minutes: Int?
    private var reference: [String]?
    private var folder: String?

    var rounds: Int { givenRounds ?? (isShort ? 3 : 5) }
    /// How long one thing is measured at a time, in seconds.
    var window: Double { isShort ? 1 : 2 }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--short": isShort = true
            case "--json": writesJSON = true
            case "--hot-functions": listsHotFunctions = true
            case "--rounds": givenRounds = rest.popFirst().flatMap { Int($0) }
            case "--only": only = rest.popFirst()
            case "--minutes": minutes = rest.popFirst().flatMap { Int($0) }
            case "--reference": reference = rest.popFirst()?.split(separator: " ").map(String.init)
            case "--programs": folder = rest.popFirst()
            default: throw BenchmarkError("unknown option \(argument)\n" + Self.usage)
            }
        }
    }

    /// The programs that take part, built as they are shipped unless a folder was given.
    func programs() throws -> Programs {
        let built = try folder.map { URL(fileURLWithPath: $0) } ?? Programs.build()
        return Programs(in: built, reference: reference)
    }
}
