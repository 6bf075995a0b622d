import Foundation
import System

/// An etcd with one node for one test, on a free port of the loopback interface.
///
///     let etcd = try Etcd()
///     … etcd.url …
///     etcd.stop()
///     try etcd.start()                 // with the same data
///
/// `config/setup --tests` unpacks the program. Not thread-safe.
package final class Etcd: @unchecked Sendable {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/tests/etcd/usr/bin/etcd").standardized.path

    /// The URL for clients.
    package let url: String
    private let peer: String
    private let folder: TemporaryFolder
    private var process: Command?

    /// Starts an etcd and waits until it is ready.
    package init() throws {
        folder = try TemporaryFolder()
        url = "http://127.0.0.1:\(try freePort())"
        peer = "http://127.0.0.1:\(try freePort())"
        try start()
    }

    deinit {
        kill()
        folder.remove()
    }

    /// Starts the etcd again after `kill`.
    package func start() throws {
        let process = try Command(
            Self.program,
            [
                "--name", "test", "--data-dir", folder.path("data"), "--listen-client-urls", url,
                "--advertise-client-urls", url, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", "test=\(peer)",
            ], environment: ["ETCD_UNSUPPORTED_ARCH": "arm64"])
        try process.waitForOutput(containing: "ready to serve client requests")
        self.process = process
    }

    /// Kills the etcd; it keeps its data.
    package func kill() {
        process?.kill()
        process = nil
    }
}
