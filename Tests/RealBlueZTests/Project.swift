import Foundation

/// Where things lie in this checkout.
enum Project {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    /// What runs inside the machine, in Python.
    static let guest = tests.appending(path: "guest")
    /// Starts the machine.
    static let boot = tests.appending(path: "machine/boot")

    /// What `config/setup --tests` prepared, and where the machine leaves what happened.
    static let cache = root.appending(path: ".build/tests")
    static let results = cache.appending(path: "results")

    /// The `bluefleet` that was built together with the tests: it lies beside them.
    static let bluefleet = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "bluefleet")
}
