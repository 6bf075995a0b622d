import EventLoop
import Testing

@testable import bluefleet

@Suite struct ProgramOutputTests {
    @Test func `what a program writes is its text`() throws {
        let output = try EventLoop.run { home in
            await ProgramOutput.of("/bin/sh", ["-c", "echo one; echo two"], on: home.loop)
        }
        #expect(output == .text("one\ntwo\n"))
    }

    @Test func `a program that does not end is ended`() throws {
        let patience = Duration.milliseconds(1)
        let output = try EventLoop.run { home in
            await ProgramOutput.of("/bin/sh", ["-c", "exec sleep infinity"], within: patience, on: home.loop)
        }
        #expect(output == .nothing(within: patience))
    }

    @Test func `a program that is not there has no output`() throws {
        #expect(try EventLoop.run { home in await ProgramOutput.of("/nowhere/program", [], on: home.loop) } == nil)
    }
}
