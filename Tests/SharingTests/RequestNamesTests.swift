import Sharing
import System
import Testing

@Suite struct RequestNamesTests {
    private static let now = Instant(nanoseconds: 1_000_000_000)

    @Test func `equal requests have names of their own, equal deliveries of one request have one`() {
        var names = RequestNames()
        let name = { (isDuplicate: Bool, time: Instant) in
            names.name("5ad1", isDuplicate: isDuplicate, known: { _ in nil }, at: time)
        }
        #expect(name(false, Self.now) == "5ad1.0")
        #expect(name(false, Self.now) == "5ad1.1")
        #expect(name(true, Self.now) == "5ad1.1")
        #expect(name(false, Self.now + .seconds(172)) == "5ad1.2")
        #expect(name(false, Self.now + .seconds(172 + 173)) == "5ad1.0")
    }

    @Test func `a new process continues the numbers of the others`() {
        var names = RequestNames()
        #expect(names.name("5ad1", isDuplicate: false, known: { _ in 41 }, at: Self.now) == "5ad1.42")
        #expect(names.name("5ad1", isDuplicate: false, known: { _ in 77 }, at: Self.now) == "5ad1.43")
        #expect(names.name("77b0", isDuplicate: true, known: { _ in 3 }, at: Self.now) == "77b0.3")
    }
}
