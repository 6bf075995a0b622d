import Foundation

/// The paths of this checkout.
enum Project {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    /// The Python program that runs inside the machine.
    static let guest = tests.appending(path: "guest")
    /// The script that starts the machine.
    static let boot = tests.appending(path: "machine/boot")

    /// The files that `config/setup --tests` has prepared, and the results of the machine.
    static let cache = root.appending(path: ".build/tests")
    static let results = cache.appending(path: "results")

    /// The clock of the machine (see `machine/boot`): by default the fast one where it is proven.
    static let machineClock = ProcessInfo.processInfo.environment["BLUEFLEET_MACHINE_CLOCK"] ?? "auto"

    /// The tested program: by default the one that was built with the tests, in the same folder.
    static let bluefleet =
        ProcessInfo.processInfo.environment["BLUEFLEET_MACHINE_PROGRAM"].map { URL(filePath: $0) }
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "bluefleet")
}
