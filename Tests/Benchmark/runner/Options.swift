import BenchmarkSupport
import EventLoop
import Foundation

/// The options of the command line.
struct Options {
    static let usage = """
        usage: benchmark [--short] [--json] [--rounds N] [--only WORD] [--minutes N] [--devices N]
                         [--before FOLDER] [--reference COMMAND] [--flood COMMAND] [--programs FOLDER]
               benchmark --hot-functions

          --short              fewer rounds and shorter ones, for a quick look
          --json               the table for machines
          --rounds N           number of rounds (5); the result is the median
          --only WORD          measures only the figures whose name contains WORD
          --minutes N          measures only the growth of the memory in N minutes of flood
          --devices N          the number of devices that send values (10)
          --before FOLDER      measures also Bluefleet before a change: the program bluefleet in FOLDER
          --reference COMMAND  a bridge that replaces the one in C, for example
                               "PYTHON Tests/Benchmark/python/bridge.py"; its arguments are BUS PORT signals|descriptors QOS PAUSE
          --flood COMMAND      an org.bluez that replaces the one in C; Tests/Benchmark/flood/main.c describes its
                               commands
          --programs FOLDER    the folder of bluefleet, BenchmarkReference and BenchmarkFlood; default: builds them
          --hot-functions      prints a new config/hot-functions.txt
        """

    private(set) var isShort = false
    private(set) var writesJSON = false
    private(set) var listsHotFunctions = false
    private(set) var asksForHelp = false
    private var givenRounds: Int?
    private(set) var only: String?
    private(set) var minutes: Int?
    private(set) var devices = 10
    private var reference: [String]?
    private var flood: [String]?
    private var folder: String?
    private var earlier: URL?

    var rounds: Int { givenRounds ?? (isShort ? 3 : 5) }
    /// The duration of one measurement, in seconds.
    var window: Double { isShort ? 1 : 2 }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--short": isShort = true
            case "--json": writesJSON = true
            case "--hot-functions": listsHotFunctions = true
            case "--help", "-h": asksForHelp = true
            case "--rounds": givenRounds = try Self.number(argument, &rest)
            case "--only": only = try Self.value(argument, &rest)
            case "--minutes": minutes = try Self.number(argument, &rest)
            case "--devices": devices = try Self.number(argument, &rest)
            case "--before": earlier = try Self.folder(argument, &rest)
            case "--reference": reference = try Self.command(argument, &rest)
            case "--flood": flood = try Self.command(argument, &rest)
            case "--programs": folder = try Self.value(argument, &rest)
            default: throw BenchmarkError("unknown option \(argument)\n" + Self.usage)
            }
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(option) needs a value\n" + usage) }
        return value
    }

    private static func number(_ option: String, _ rest: inout ArraySlice<String>) throws -> Int {
        let value = try value(option, &rest)
        guard let number = Int(value), number > 0 else {
            throw BenchmarkError("\(option) \(value): expected a number of at least 1")
        }
        return number
    }

    /// Returns a folder that contains the program bluefleet.
    private static func folder(_ option: String, _ rest: inout ArraySlice<String>) throws -> URL {
        let folder = URL(fileURLWithPath: try value(option, &rest))
        let program = folder.appendingPathComponent("bluefleet").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchmarkError("\(option) \(folder.path): the folder has no program bluefleet")
        }
        return folder
    }

    private static func command(_ option: String, _ rest: inout ArraySlice<String>) throws -> [String] {
        let words = try value(option, &rest).split(separator: " ").map(String.init)
        guard let program = words.first, ChildProcess.path(of: program) != nil else {
            throw BenchmarkError("\(option) \(words.first ?? ""): not an executable program")
        }
        return words
    }

    /// The programs of the benchmark; builds them in release mode unless `--programs` is given.
    func programs() throws -> Programs {
        let built =
            try folder.map { URL(fileURLWithPath: $0) }
            ?? Programs.build(
                ["bluefleet", "BenchmarkReference", "BenchmarkFlood"], environment: ["BLUEFLEET_BENCHMARK": "1"])
        return Programs(in: built, before: earlier, reference: reference, flood: flood)
    }
}
