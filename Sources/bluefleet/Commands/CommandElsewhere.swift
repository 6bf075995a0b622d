/// The commands that users of other programs may look for, by the name there.
enum CommandElsewhere {
    /// The advice about each name.
    static let advice: [String: String] = {
        var advice = commands.mapValues { "did you mean '\($0)'?" }
        for (name, verb) in requests {
            advice[name] =
                "it is a request to a running bridge: publish on bluefleet/bridge/GATEWAY/request/\(verb); bluefleet "
                + "help --mqtt shows its payload"
        }
        for (name, command) in services { advice[name] = "the bridge is a service: \(command)" }
        return advice.merging(others) { $1 }
    }()

    private static let commands = [
        "start": Run.name, "serve": Run.name, "daemon": Run.name, "bridge": Run.name, "validate": Check.name,
        "lint": Check.name, "test": Check.name, "verify": Check.name, "config": Check.name, "discover": Scan.name,
        "find": Scan.name, "search": Scan.name, "ble": Scan.name, "info": Inspect.name, "connect": Inspect.name,
        "show": Inspect.name, "services": Inspect.name, "explore": Inspect.name, "get": Read.name, "set": Write.name,
        "put": Write.name, "send": Write.name, "subscribe": Watch.name, "notify": Watch.name, "listen": Watch.name,
        "monitor": Watch.name, "bond": Pair.name, "unbond": Unpair.name, "forget": Unpair.name,
        "states": Status.name, "state": Status.name, "stat": Status.name, "ps": Status.name, "top": Status.name,
        "health": Doctor.name, "diagnose": Doctor.name, "debug": Doctor.name, "troubleshoot": Doctor.name,
        "simulator": Simulate.name, "mock": Simulate.name, "man": Help.name, "parse": Decode.name,
        "import": Restore.name, "queue": Spool.name,
    ]

    private static let requests = [
        "rename": "device/rename", "add": "device/add", "delete": "device/remove", "options": "device/options",
        "permit": "permit", "permit_join": "permit", "configure": "device/options", "backup": "backup",
        "export": "backup",
        "reload": "reload", "loglevel": "log_level",
        "log_level": "log_level", "log-level": "log_level",
    ]

    private static let services = [
        "stop": "sudo systemctl stop bluefleet", "restart": "sudo systemctl restart bluefleet",
        "enable": "sudo systemctl enable --now bluefleet", "disable": "sudo systemctl disable --now bluefleet",
        "install": "sudo systemctl enable --now bluefleet", "log": "journalctl -u bluefleet",
        "logs": "journalctl -u bluefleet", "journal": "journalctl -u bluefleet",
    ]

    private static let others = [
        "list": "did you mean 'status' (the devices of the bridge) or 'scan' (devices in range)?",
        "ls": "did you mean 'status' (the devices of the bridge) or 'scan' (devices in range)?",
        "devices": "did you mean 'status' (the devices of the bridge) or 'scan' (devices in range)?",
        "remove":
            "'unpair' removes a bond; the request device/remove removes a device from a running bridge: bluefleet "
            + "help --mqtt",
        "init": "bluefleet help --example prints a configuration",
        "setup": "bluefleet help --example prints a configuration",
        "completion": "bluefleet help --completion bash", "completions": "bluefleet help --completion bash",
        "update": "sudo apt update && sudo apt install bluefleet",
        "upgrade": "sudo apt update && sudo apt install bluefleet",
    ]
}
