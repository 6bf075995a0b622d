import Bluetooth
import DBus

/// The strings of a scene on D-Bus: `io.bluefleet.Simulator` at `/`.
final class ControlObject: ExportedObject {
    static let name = "io.bluefleet.Simulator"

    let path = "/"
    private let scene: Scene
    /// Starts bluetoothd, or ends it.
    private let run: (_ isOn: Bool) -> Void

    init(_ scene: Scene, run: @escaping (_ isOn: Bool) -> Void) {
        self.scene = scene
        self.run = run
    }

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }

    private static let table = InterfaceTable<ControlObject>(
        name,
        methods: [
            .init("Peripherals", gives: "as") { control, call in call.reply(.strings(control.scene.peripherals)) },
            .init("IsConnected", takes: "s", gives: "b") { control, call throws(DBusError) in
                let isConnected = try ask { () throws(SceneError) in try control.scene.isConnected(call.text(0)) }
                call.reply(.boolean(isConnected))
            },
            .order("DropLink", "s") { scene, call throws(SceneError) in try scene.dropLink(of: call.text(0)) },
            .order("ChangeAddress", "s") { scene, call throws(SceneError) in try scene.changeAddress(of: call.text(0))
            },
            .order("SetAdvertising", "sb") { scene, call throws(SceneError) in
                try scene.switchAdvertising(of: call.text(0), on: call.flag(1))
            },
            .order("SetValue", "ssay") { scene, call throws(SceneError) in
                try scene.store(call.bytes(2), in: call.uuid(1), of: call.text(0))
            },
            .order("Notify", "ssay") { scene, call throws(SceneError) in
                try scene.notify(call.bytes(2), from: call.uuid(1), of: call.text(0))
            },
            .order("ChangeServices", "s") { scene, call throws(SceneError) in
                try scene.changeAttributes(of: call.text(0))
            },
            .order("ForgetBonds", "s") { scene, call throws(SceneError) in try scene.forgetBonds(of: call.text(0)) },
            .order("FailConnects", "suss") { scene, call throws(SceneError) in
                try scene.failConnects(
                    of: call.text(0), times: call.number(1), error: call.text(2), message: call.text(3))
            },
            .init("GetEvents", takes: "s", gives: "aa{sv}") { control, call throws(DBusError) in
                let events = try ask { () throws(SceneError) in try control.scene.events(of: call.text(0)) }
                call.reply(.array(events.map(\.properties), of: "a{sv}"))
            },
            .order("ForgetEvents", "s") { scene, call throws(SceneError) in try scene.forgetEvents(of: call.text(0)) },
            // How often; 0: each time.
            .init("SetFault", takes: "ssu") { control, call throws(DBusError) in
                let (fault, times) = (try call.fault(1), call.number(2))
                try ask { () throws(SceneError) in
                    try control.scene.plan(Fault.Rule(fault, times: times == 0 ? nil : times), for: call.text(0))
                }
                call.reply()
            },
            .init("ClearFault", takes: "ss") { control, call throws(DBusError) in
                let fault = try call.fault(1)
                try ask { () throws(SceneError) in try control.scene.cancel(fault, of: call.text(0)) }
                call.reply()
            },
            .order("SetPower", "sb") { scene, call throws(SceneError) in
                try scene.switchPower(of: call.text(0), on: call.flag(1))
            },
            .order("RemoveAdapter", "s") { scene, call throws(SceneError) in try scene.remove(call.text(0)) },
            .order("AddAdapter", "ss") { scene, call throws(SceneError) in
                try scene.add(call.text(0), as: call.text(1))
            },
            // Answered at once; the name on the bus tells when it is done.
            .init("StartBluetoothd") { control, call in
                call.reply()
                control.run(true)
            },
            .init("StopBluetoothd") { control, call in
                call.reply()
                control.run(false)
            },
        ])

    /// Does something to the scene, and puts what is wrong with it into D-Bus's words.
    fileprivate static func ask<Answer>(_ body: () throws(SceneError) -> Answer) throws(DBusError) -> Answer {
        do throws(SceneError) {
            return try body()
        } catch {
            throw DBusError("\(name).Error.NotFound", error.description)
        }
    }

    fileprivate func perform(
        _ order: (Scene, Call) throws(SceneError) -> Void, _ call: Call
    ) throws(DBusError) {
        try Self.ask { () throws(SceneError) in try order(scene, call) }
        call.reply()
    }
}

extension InterfaceTable<ControlObject>.Method {
    /// A method without results.
    fileprivate static func order(
        _ name: String, _ arguments: String, _ order: @escaping @Sendable (Scene, Call) throws(SceneError) -> Void
    ) -> Self {
        Self(name, takes: arguments) { control, call throws(DBusError) in try control.perform(order, call) }
    }
}

/// The arguments by their place; their types have been checked against the method's.
extension Call {
    fileprivate func text(_ index: Int) -> String { arguments[index].text ?? "" }
    fileprivate func flag(_ index: Int) -> Bool { arguments[index].boolean ?? false }
    fileprivate func number(_ index: Int) -> Int { arguments[index].integer ?? 0 }
    fileprivate func bytes(_ index: Int) -> [UInt8] { arguments[index].bytes ?? [] }

    /// A UUID or the SIG's name of a characteristic; what is neither is no characteristic's.
    fileprivate func uuid(_ index: Int) -> UUID {
        UUID(text(index)) ?? AssignedNumbers.characteristics[text(index)] ?? UUID(0 as UInt128)
    }

    fileprivate func fault(_ index: Int) throws(DBusError) -> Fault {
        guard let fault = Fault(rawValue: text(index)) else {
            let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(DBusError.invalidArguments, "there is no fault \(text(index)), only \(names)")
        }
        return fault
    }
}
