import BenchmarkSupport
import Foundation

/// Measures Bluefleet and a minimal bridge in C, and prints a table.
///
///     BLUEFLEET_BENCHMARK=1 swift run -c release benchmark
@main struct Benchmark {
    static func main() {
        Interrupt.hold()
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.asksForHelp { return print(Options.usage) }
            let programs = try options.programs()
            if options.listsHotFunctions {
                print(try FunctionOrder(of: programs).text)
                return
            }
            let run = BenchmarkRun(options, programs)
            let circumstances = Circumstances()
            let figures = try run.figures()
            print(options.writesJSON ? try Table.json(figures) : Table(figures, of: programs.kinds).text)
            Progress.show("medians of \(options.rounds) rounds; \(options.devices) devices; " + circumstances.text)
        } catch {
            // After an interrupt, other errors are its consequence.
            if error is Interrupt || Interrupt.comes(within: 0) { exit(130) }
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }
}
