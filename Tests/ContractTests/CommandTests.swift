import Contract
import JSON
import Testing

@Suite struct CommandTests {
    /// The keys of `device/add` are those of a device in the configuration, which are checked later.
    @Test(arguments: GatewayCommand.Verb.allCases.filter { $0 != .add })
    func `GatewayCommand rejects a parameter that the verb does not have`(verb: GatewayCommand.Verb) {
        let error = #expect(throws: RequestError.self) { _ = try GatewayCommand(verb: verb.rawValue, ["duration": 5]) }
        #expect(error?.message.hasPrefix("duration: unknown parameter: ") == true)
    }

    @Test(arguments: DeviceCommand.Verb.allCases)
    func `DeviceCommand rejects a parameter that the verb does not have`(verb: DeviceCommand.Verb) {
        let error = #expect(throws: RequestError.self) { _ = try DeviceCommand(verb: verb.rawValue, ["duration": 5]) }
        #expect(error?.message.hasPrefix("duration: unknown parameter: ") == true)
    }
}
