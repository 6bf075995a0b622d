import EventLoop
import Foundation
import Testing

@testable import bluefleet

@Suite struct PromptTests {
    /// In a process of its own, since it is the standard input that becomes a terminal.
    @Test func `a second question takes the place of the first, with what was typed for that`() async {
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
