import EventLoop
import TestSupport
import Testing

@testable import bluefleet

@Suite struct ProgramOutputTests {
    @Test func `the output of a program is returned`() throws {
        let output = try EventLoop.run { home in
            await ProgramOutput.of("/bin/sh", ["-c", "echo one; echo two"], on: home.loop)
        }
        #expect(output == .text("one\ntwo\n"))
    }

    @Test func `a program that does not end is killed`() throws {
        let timeout = Duration.milliseconds(1)
        let output = try EventLoop.run { home in
            await ProgramOutput.of("/bin/sh", ["-c", "exec sleep infinity"], within: timeout, on: home.loop)
        }
        #expect(output == .nothing(within: timeout))
    }

    @Test func `a missing program has no output`() throws {
        #expect(try EventLoop.run { home in await ProgramOutput.of("/nowhere/program", [], on: home.loop) } == nil)
    }
}
