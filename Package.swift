// swift-tools-version: 6.2
import PackageDescription

/// A system library: its Debian package, and its name for pkg-config.
func system(_ name: String, _ pkgConfig: String?, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let language: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // For the linker to leave out, or to put elsewhere, each function by itself.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
    // That nobody changes what is just being changed is checked in the debug build, with which all tests run; to check it
    // at each notification would cost 6 % of its instructions (measured: README, “Measured”).
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// For what is done once or seldom, and is better small than fast.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// A program that takes little room: what nobody calls is left out (nothing is exported for others), functions that are
/// the same are there once, relocations are packed (glibc 2.36), and there is no index for unwinding the stack, which
/// nothing does: Swift's errors are ordinary returns.
///
/// What runs with each notification is side by side, for a wake-up finds the processor's caches cold (measured: README,
/// “Measured”). `benchmark --hot-functions` writes the list; names that are no longer there do no harm.
let compact: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"]
            + [
                "--no-export-dynamic", "--icf=safe", "-z", "pack-relative-relocs", "--no-eh-frame-hdr",
                "--symbol-ordering-file=\(Context.packageDirectory)/config/hot-functions.txt",
                "--no-warn-symbol-ordering",
            ].flatMap { ["-Xlinker", $0] },
        .when(configuration: .release))
]

/// Where C's pointers are at home, `unsafe` before each of them would say nothing.
func wrapper(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: language)
}

func room(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: language + settings + [.strictMemorySafety()])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: language)
}

let package = Package(
    name: "bluefleet",
    products: [.executable(name: "bluefleet", targets: ["bluefleet"])],
    targets: [
        system("CLinux", nil, "libc6-dev"),
        system("CDBus", "dbus-1", "libdbus-1-dev"),
        system("CMosquitto", "libmosquitto", "libmosquitto-dev"),
        system("CJSON", "json-c", "libjson-c-dev"),
        system("CYAML", "yaml-0.1", "libyaml-dev"),
        system("CCrypto", "libcrypto", "libssl-dev"),

        wrapper("EventLoop", ["CLinux"]),
        room("Log"),
        wrapper("JSON", ["CJSON"]),
        room("Bluetooth"),

        room("Codec", ["Bluetooth", "CCrypto"]),
        wrapper("DBus", ["EventLoop", "CDBus"]),
        wrapper("MQTT", ["EventLoop", "CMosquitto"]),
        room("Configuration", ["Bluetooth", "Codec", "CYAML"], small),

        room("BlueZ", ["Bluetooth", "DBus", "EventLoop"]),
        room(
            "Bridge",
            ["BlueZ", "Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "Log", "DBus", "EventLoop", "CLinux"]),
        .target(
            name: "Simulator", dependencies: ["DBus", "Bluetooth", "Codec", "EventLoop", "Configuration"],
            resources: [.embedInCode("../../config/fleets/house.yaml")],
            swiftSettings: language + small + [.strictMemorySafety()]),
        .executableTarget(
            name: "bluefleet",
            dependencies: [
                "Bridge", "Simulator", "BlueZ", "Configuration", "Codec", "Bluetooth", "Log", "EventLoop", "MQTT",
                "DBus",
                "JSON",
            ],
            swiftSettings: language + small + [.strictMemorySafety()], linkerSettings: compact),

        tests("ArchitectureTests", []),
        tests("EventLoopTests", ["EventLoop"]),
        .target(
            name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport", swiftSettings: language),
        tests("JSONTests", ["JSON"]),
        tests("LogTests", ["Log"]),
        tests("BluetoothTests", ["Bluetooth"]),
        .target(
            name: "CodecFuzzing", dependencies: ["Codec", "Bluetooth", "Configuration"], path: "Tests/CodecFuzzing",
            swiftSettings: language),
        .testTarget(
            name: "CodecTests", dependencies: ["Codec", "Bluetooth", "CodecFuzzing", "TestSupport"],
            resources: [.copy("Vectors")],
            swiftSettings: language),
        tests("ConfigurationTests", ["Configuration", "Codec", "Bluetooth", "TestSupport"]),
        tests("DBusTests", ["DBus", "EventLoop"]),
        tests("BlueZTests", ["BlueZ", "Bluetooth", "Simulator", "DBus", "EventLoop", "TestSupport"]),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "Bridge", "BlueZ", "Configuration", "Simulator", "Codec", "MQTT", "DBus", "JSON", "Bluetooth", "Log",
                "EventLoop", "TestSupport",
            ],
            resources: [.copy("HomeAssistant/device-classes.json")], swiftSettings: language),
        .testTarget(
            name: "SimulatorTests",
            dependencies: ["Simulator", "DBus", "EventLoop", "Bluetooth", "Configuration"], exclude: ["Bleak"],
            swiftSettings: language),
        tests("MQTTTests", ["MQTT", "EventLoop", "TestSupport"]),
        .executableTarget(name: "BenchmarkFlood", dependencies: ["CDBus"], path: "Tests/Benchmark/flood"),
        .target(
            name: "BenchmarkSupport", dependencies: ["TestSupport", "DBus", "EventLoop"],
            path: "Tests/Benchmark/support",
            swiftSettings: language),
        tests("BenchmarkTests", ["BenchmarkSupport", "BenchmarkFlood", "bluefleet"]),
        tests(
            "CommandLineTests",
            [
                "bluefleet", "Simulator", "EventLoop", "JSON", "Bluetooth", "Configuration", "DBus", "MQTT", "CLinux",
                "TestSupport",
            ]),
        .testTarget(
            name: "RealBlueZTests", dependencies: ["bluefleet", "TestSupport"], exclude: ["guest", "machine"],
            swiftSettings: language),
    ]
)

// libFuzzer brings its own main(): the target can be built only with its sanitizer.
if Context.environment["BLUEFLEET_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "CodecFuzzer", dependencies: ["CodecFuzzing"], path: "Tests/CodecFuzzer",
            swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]))
}

if Context.environment["BLUEFLEET_BENCHMARK"] != nil {
    package.targets += [
        .executableTarget(
            name: "BenchmarkReference", dependencies: ["CDBus", "CMosquitto"], path: "Tests/Benchmark/reference"),
        .executableTarget(
            name: "benchmark", dependencies: ["BenchmarkSupport", "EventLoop", "TestSupport"],
            path: "Tests/Benchmark/runner",
            swiftSettings: language),
        .target(name: "CountingMalloc", path: "Tests/CountingMalloc"),
        .executableTarget(
            name: "CodecBenchmark", dependencies: ["Codec", "Bluetooth", "CountingMalloc"],
            path: "Tests/CodecBenchmark", swiftSettings: language),
    ]
}
