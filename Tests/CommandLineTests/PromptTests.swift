import EventLoop
import Foundation
import TestSupport
import Testing

@testable import bluefleet

@Suite struct PromptTests {
    /// In a separate process, because its standard input becomes a terminal.
    @Test func `a second question replaces the first and discards its input`() async {
        await #expect(processExitsWith: .success) {
            var (screen, device) = (Int32(-1), Int32(-1))
            try #require(openpty(&screen, &device, nil, nil, nil) == 0)
            try #require(dup2(device, STDIN_FILENO) >= 0)
            let answer = try EventLoop.run { [screen] home in
                let answers = Mailbox<String>()
                Prompt.ask("First?", on: home.loop) { answers.put("first: \($0 ?? "none")") }
                _ = write(screen, "1", 1)
                Prompt.ask("Second?", on: home.loop) { answers.put("second: \($0 ?? "none")") }
                _ = write(screen, "2\n", 2)
                return await answers.next()
            }
            #expect(answer == "second: 2")
        }
    }
}
