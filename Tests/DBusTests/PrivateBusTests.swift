import DBus
import EventLoop
import Glibc
import System
import Testing

@Suite struct PrivateBusTests {
    @Test func `PrivateBus listens in a folder of any name`() throws {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let inner = folder.path + "/My %41 bus, <1>; \"a\" & 'b' = ü"
            try #require(mkdir(inner, 0o700) == 0)
            let bus = try await PrivateBus(in: inner, on: home.loop)
            let connection = try await Connection.open(bus.address, loop: home.loop)
            await connection.close()
            await bus.stop()
        }
    }

    @Test func `an address escapes the special characters of a path`() {
        #expect(PrivateBus.address(ofSocket: "/tmp/a-b_c.D9/bus") == "unix:path=/tmp/a-b_c.D9/bus")
        #expect(PrivateBus.address(ofSocket: "/a b,;%=*\t&ü") == "unix:path=/a%20b%2c%3b%25%3d%2a%09%26%c3%bc")
    }
}
