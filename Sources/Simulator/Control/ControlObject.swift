import Bluetooth
import DBus
import EventLoop

/// The control interface of the simulation on D-Bus: `io.bluefleet.Simulator` at `/`.
final class ControlObject: ExportedObject {
    static let name = "io.bluefleet.Simulator"

    let path = "/"
    private let scene: Scene
    /// The machine with the bus.
    private let machine: Machine

    init(_ scene: Scene, of machine: Machine) {
        self.scene = scene
        self.machine = machine
    }

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }

    private static let table = InterfaceTable<ControlObject>(
        name,
        methods: [
            .init("Peripherals", gives: "as") { control, call in call.reply(.strings(control.scene.peripherals)) },
            .init("IsConnected", takes: "s", gives: "b") { control, call throws(DBusError) in
                let isConnected = try convertingErrors { () throws(SceneError) in
                    try control.scene.isConnected(call.text(0))
                }
                call.reply(.boolean(isConnected))
            },
            .action("DropLink", "s") { scene, call throws(SceneError) in try scene.dropLink(of: call.text(0)) },
            .action("ChangeAddress", "s") { scene, call throws(SceneError) in try scene.changeAddress(of: call.text(0))
            },
            .action("SetAdvertising", "sb") { scene, call throws(SceneError) in
                try scene.switchAdvertising(of: call.text(0), on: call.flag(1))
            },
            .action("SetValue", "ssay") { scene, call throws(SceneError) in
                try scene.store(call.bytes(2), in: call.uuid(1), of: call.text(0))
            },
            .action("Notify", "ssay") { scene, call throws(SceneError) in
                try scene.notify(call.bytes(2), from: call.uuid(1), of: call.text(0))
            },
            .action("ChangeServices", "s") { scene, call throws(SceneError) in
                try scene.changeAttributes(of: call.text(0))
            },
            .action("ForgetBonds", "s") { scene, call throws(SceneError) in try scene.forgetBonds(of: call.text(0)) },
            .action("FailConnects", "suss") { scene, call throws(SceneError) in
                try scene.failConnects(
                    of: call.text(0), times: call.number(1), error: call.text(2), message: call.text(3))
            },
            .init("GetEvents", takes: "s", gives: "aa{sv}") { control, call throws(DBusError) in
                let events = try convertingErrors { () throws(SceneError) in try control.scene.events(of: call.text(0))
                }
                call.reply(.array(events.map(\.properties), of: "a{sv}"))
            },
            .action("ForgetEvents", "s") { scene, call throws(SceneError) in try scene.forgetEvents(of: call.text(0)) },
            // The last argument is the number of occurrences; 0: the fault always occurs.
            .init("SetFault", takes: "ssu") { control, call throws(DBusError) in
                let (fault, times) = (try call.fault(1), call.number(2))
                try convertingErrors { () throws(SceneError) in
                    try control.scene.plan(Fault.Rule(fault, times: times == 0 ? nil : times), for: call.text(0))
                }
                call.reply()
            },
            .init("ClearFault", takes: "ss") { control, call throws(DBusError) in
                let fault = try call.fault(1)
                try convertingErrors { () throws(SceneError) in try control.scene.cancel(fault, of: call.text(0)) }
                call.reply()
            },
            .action("SetPower", "sb") { scene, call throws(SceneError) in
                try scene.switchPower(of: call.text(0), on: call.flag(1))
            },
            .action("RemoveAdapter", "s") { scene, call throws(SceneError) in try scene.remove(call.text(0)) },
            .action("AddAdapter", "ss") { scene, call throws(SceneError) in
                try scene.add(call.text(0), as: call.text(1))
            },
            // The reply precedes the start or stop: the name `org.bluez` on the bus shows whether bluetoothd runs. An error
            // of the start is ignored for the same reason.
            .init("StartBluetoothd") { control, call throws(DBusError) in
                let machine = control.machine
                try convertingErrors { () throws(SceneError) in
                    guard machine.isOn else { throw .hostIsOff(machine.model.name ?? "") }
                }
                call.reply()
                machine.spawn { try? await $0.startBluetoothd() }
            },
            .init("StopBluetoothd") { control, call in
                call.reply()
                control.machine.spawn { await $0.stopBluetoothd() }
            },
            .init("Hosts", gives: "as") { control, call in call.reply(.strings(control.scene.hosts)) },
            .action("HostPowerOff", "s") { scene, call throws(SceneError) in
                try scene.machine(call.text(0)).spawn { await $0.switchOff() }
            },
            .action("HostPowerOn", "s") { scene, call throws(SceneError) in
                try scene.machine(call.text(0)).spawn { try? await $0.switchOn() }
            },
            .action("Move", "sdd") { scene, call throws(SceneError) in
                try scene.move(call.text(0), toX: call.coordinate(1), y: call.coordinate(2))
            },
        ])

    /// Calls `body` and converts its error to a D-Bus error.
    fileprivate static func convertingErrors<Answer>(_ body: () throws(SceneError) -> Answer) throws(DBusError)
        -> Answer
    {
        do throws(SceneError) {
            return try body()
        } catch {
            throw DBusError("\(name).Error.NotFound", error.description)
        }
    }

    fileprivate func perform(
        _ action: (Scene, Call) throws(SceneError) -> Void, _ call: Call
    ) throws(DBusError) {
        try Self.convertingErrors { () throws(SceneError) in try action(scene, call) }
        call.reply()
    }
}

extension InterfaceTable<ControlObject>.Method {
    /// Returns a method without results.
    fileprivate static func action(
        _ name: String, _ arguments: String, _ action: @escaping @Sendable (Scene, Call) throws(SceneError) -> Void
    ) -> Self {
        Self(name, takes: arguments) { control, call throws(DBusError) in try control.perform(action, call) }
    }
}

/// Access to the arguments by index; their types match the method's signature.
extension Call {
    fileprivate func text(_ index: Int) -> String { arguments[index].text ?? "" }
    fileprivate func flag(_ index: Int) -> Bool { arguments[index].boolean ?? false }
    fileprivate func number(_ index: Int) -> Int { arguments[index].integer ?? 0 }
    fileprivate func bytes(_ index: Int) -> [UInt8] { arguments[index].bytes ?? [] }

    fileprivate func coordinate(_ index: Int) -> Double {
        if case .double(let number) = arguments[index] { number } else { .nan }
    }

    /// Returns the UUID for the text of a UUID or for a SIG name; for other text, a UUID that no characteristic has.
    fileprivate func uuid(_ index: Int) -> UUID {
        UUID(text(index)) ?? AssignedNumbers.characteristics[text(index)] ?? UUID(0 as UInt128)
    }

    fileprivate func fault(_ index: Int) throws(DBusError) -> Fault {
        guard let fault = Fault(rawValue: text(index)) else {
            let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(DBusError.invalidArguments, "unknown fault \(text(index)): expected one of \(names)")
        }
        return fault
    }
}
