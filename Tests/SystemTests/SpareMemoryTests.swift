import Testing

@testable import System

@Suite struct SpareMemoryTests {
    private static func mapping(_ first: String, anonymous: Int = 0, swap: Int = 0) -> String {
        """
        \(first)
        Size:                 64 kB
        Private_Clean:        12 kB
        Anonymous:         \(anonymous) kB
        AnonHugePages:         0 kB
        Swap:              \(swap) kB
        VmFlags: rd ex mr mw me

        """
    }

    @Test func `SpareMemory releases nothing while a thread may map files`() {
        #expect(!SpareMemory.whileMapping { SpareMemory.release() })
    }

    @Test func `only what is as it is in its file can be had from there again`() {
        let text = [
            Self.mapping("1000-2000 r--p 00000000 fe:01 17                         /usr/bin/bluefleet"),
            Self.mapping("2000-3000 r-xp 00001000 fe:01 17                         /usr/bin/blue fleet (deleted)"),
            Self.mapping("3000-4000 r--p 00002000 fe:01 17                         /usr/bin/bluefleet", anonymous: 4),
            Self.mapping("4000-5000 r--p 00002000 fe:01 17                         /usr/bin/bluefleet", swap: 4),
            Self.mapping("5000-6000 rw-p 00003000 fe:01 17                         /usr/bin/bluefleet"),
            Self.mapping("6000-7000 r--p 00000000 00:00 0 "),
            Self.mapping("7000-8000 r-xp 00000000 00:00 0                          [vdso]"),
            Self.mapping("7ffff000-ffffffff r--s 00000000 fe:01 18                 /dev/shm/x"),
        ].joined()
        #expect(SpareMemory.unchangedRanges(text) == [0x1000..<0x2000, 0x2000..<0x3000])
        #expect(SpareMemory.unchangedRanges("nonsense\n\n- r-xp a b c /d\nVmFlags: x").isEmpty)
    }

    @Test func `the program goes on without its spare memory`() {
        for _ in 1...3 { SpareMemory.release() }
        #expect("\(0.1 + 0.2)" == "0.30000000000000004")
    }
}
