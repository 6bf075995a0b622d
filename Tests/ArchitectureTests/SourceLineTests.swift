import Testing

@Suite struct SourceLineTests {
    @Test(arguments: [
        "import Codec", "internal import Codec  // why", "@testable @_spi(Keys) package import struct Codec.Reading",
        "@_exported import Codec;", "import func Codec.decode",
    ])
    func `an import is known by whatever is before it`(line: String) {
        #expect(SourceLine(line).importedModule == "Codec")
    }

    @Test(arguments: [
        "// import Codec", "/// What they import from here.", "let text = \"import Codec\"", "importCodec()",
    ])
    func `what only speaks of imports is none`(line: String) {
        #expect(SourceLine(line).importedModule == nil)
    }

    @Test(arguments: [
        "Task { await self.run() }", "Task {  // soon", "let task = Task<Void, Never> {", "Task(priority: .high) {",
        "Task.detached {", "try await Task<Never, Never>.sleep(for: .seconds(1))", "Task.init {", "Task.immediate {",
        "group.addTask { await device.stop() }", "group.addTask(priority: .low) {", "async let answer = ask()",
        "open(\"mqtt://localhost\"); Task { await self.run() }",
    ])
    func `a task that leaves the loop is seen`(line: String) {
        #expect(SourceLine(line).leavesLoop)
    }

    @Test(arguments: [
        "Task(executorPreference: loop.tasks) {  // Task {", "// Task { would go to the thread pool.",
        "group.addTask(executorPreference: loop.tasks) { await device.stop() }", "private var task: Task<Void, Never>?",
        "func spawn() -> Task<Void, Never> {", "guard !Task.isCancelled else { return }",
        "task = Task<Void, Never>(executorPreference: loop.tasks) {",
    ])
    func `a task that stays on the loop is let be`(line: String) {
        #expect(!SourceLine(line).leavesLoop)
    }
}
