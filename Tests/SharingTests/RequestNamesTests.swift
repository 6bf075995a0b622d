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
        let known = { (number: Int) in RequestNames.Known(greatest: number, recent: nil) }
        #expect(names.name("5ad1", isDuplicate: false, known: { _ in known(41) }, at: Self.now) == "5ad1.42")
        #expect(names.name("5ad1", isDuplicate: false, known: { _ in known(77) }, at: Self.now) == "5ad1.43")
        #expect(names.name("77b0", isDuplicate: true, known: { _ in known(3) }, at: Self.now) == "77b0.3")
    }

    @Test func `a request that arrives after a report about it has the name in the report`() {
        var names = RequestNames()
        let known = { (_: String) in RequestNames.Known(greatest: 5, recent: 4) }
        #expect(names.name("5ad1", isDuplicate: false, known: known, at: Self.now) == "5ad1.4")
        #expect(names.name("5ad1", isDuplicate: false, known: known, at: Self.now) == "5ad1.5")
        #expect(names.name("77b0", isDuplicate: true, known: known, at: Self.now) == "77b0.5")
    }
}
