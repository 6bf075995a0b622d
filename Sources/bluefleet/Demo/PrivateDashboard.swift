import Codec
import EventLoop
import System

/// The page of the demo, on a free loopback port.
final class PrivateDashboard {
    /// The address of the page.
    let address: String
    private let program: ChildProcess

    /// Starts `bluefleet-dashboard` with its files in `folder`, and waits until the page is ready.
    ///
    /// - Throws: `SystemError` if the program does not start.
    init(
        in folder: TemporaryFolder, brokerPort: UInt16, at path: String, within timeout: Duration = .seconds(20),
        on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws(SystemError) {
        let file = "\(folder.path)/dashboard"
        let settings = """
            mqtt: {url: "mqtt://127.0.0.1:\(brokerPort)"}
            dashboard: {listen: 127.0.0.1:0, history_directory: \(Value.string("\(file)-state"))}
            """
        try TextFile.write(settings + "\n", to: "\(file).yaml")
        program = try ChildProcess(path, ["--config", "\(file).yaml"], output: .file("\(file).log"), on: loop)
        let deadline = loop.now + timeout
        while program.status == nil, loop.now < deadline {
            if let address = Self.address(in: TextFile.read("\(file).log") ?? "") {
                self.address = address
                return
            }
            await loop.sleep(for: .milliseconds(5))
        }
        await program.stop()
        throw SystemError("\(ExternalProgram.dashboard.name) does not start")
    }

    /// Stops the page.
    func stop(isolation: isolated (any Actor)? = #isolation) async {
        await program.stop()
    }

    /// Returns the address in the log: `the page is ready address=http://127.0.0.1:41234/`.
    private static func address(in log: String) -> String? {
        let words = log.split { $0 == " " || $0 == "\n" }
        return words.first { $0.hasPrefix("address=http://") }.map { String($0.dropFirst("address=".count)) }
    }
}
