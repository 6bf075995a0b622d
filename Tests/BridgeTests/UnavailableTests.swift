import Bluetooth
import Configuration
import Testing

@testable import Bridge

/// What a configuration asks for and a device does not have.
@Suite struct UnavailableTests {
    struct Wish: Sendable {
        let keys: String
        let flags: CharacteristicProperties
        let sentences: [String]

        init(_ keys: String, _ flags: CharacteristicProperties, _ sentences: String...) {
            (self.keys, self.flags, self.sentences) = (keys, flags, sentences)
        }
    }

    @Test(arguments: [
        Wish("subscribe: true, read: 1h, write: true", [.read, .write, .indicate]),
        Wish("subscribe: true", [.read], "subscribe: the device does not notify it"),
        Wish("read: on connect", [.notify], "read: the device does not let it be read"),
        Wish("write: true", [.read], "write: the device does not let it be written"),
        Wish(
            "write: true", [.writeWithoutResponse],
            "write: the device takes it without a response only: set write: without response"),
        Wish("write: without response", [.writeWithoutResponse]),
        Wish("write: without response", [.authenticatedSignedWrites]),
        Wish("write: without response", [.write], "write: the device takes it with a response only: set write: true"),
        Wish("write: without response", [.read], "write: the device does not let it be written"),
        Wish("write: reliable", [.write], "write: the device has no reliable writes of it: set write: true"),
        Wish("write: reliable", [.write, .reliableWrite]),
    ])
    func `what the flags do not have is told`(_ wish: Wish) throws {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor: {address: C0:00:00:00:00:01, characteristics: {temperature: {\(wish.keys)}}}
                """)
        #expect(configuration.devices[0].characteristics[0].unavailable(in: wish.flags) == wish.sentences)
    }
}
