// swift-tools-version: 6.3
import PackageDescription

/// Returns a system library with its name for pkg-config and its Debian package.
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
    // One section per function, so that the linker can drop and reorder single functions.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
    // The debug build, which runs the tests, checks exclusive access. In the release build the check would cost 6 % of the
    // instructions of a notification (measured: Tests/Benchmark/README.md).
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// Settings of the program's rooms: without the module of regular expressions, which Swift imports and links by default.
let program =
    language + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// Settings of rooms whose code runs rarely, or as fast as with `-O` (Tests/Benchmark/README.md): small is better than fast.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Settings of rooms that the simulated world of a fleet of gateways runs: optimized in the build of the tests too.
///
/// Each is compiled as a whole, because otherwise the compiler specializes generic types only in the file that declares them.
/// `Contract` does not need this: its functions take little of the world's time, and the compiler would take 20 s longer.
let simulated: [SwiftSetting] = [
    .unsafeFlags(
        ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug))
]

/// Settings for a small program: no exported symbols, identical functions merged (nothing compares the addresses of
/// functions), relocations packed (glibc 2.36), and no tables for stack unwinding, because Swift's errors are ordinary
/// returns.
///
/// The functions that run for each notification are placed together, because a wake-up finds the processor's caches cold.
/// All other functions that run after the start follow, because the kernel loads a program in blocks of 64 KiB: with fewer
/// blocks, less memory is resident (both measured: Tests/Benchmark/README.md). `benchmark --hot-functions` writes the list;
/// unknown names have no effect.
let compact: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"]
            + [
                "--no-export-dynamic", "--icf=all", "-z", "pack-relative-relocs", "--no-eh-frame-hdr",
                "-T", "\(Context.packageDirectory)/config/unwind.ld",
                "--symbol-ordering-file=\(Context.packageDirectory)/config/hot-functions.txt",
                "--no-warn-symbol-ordering",
            ].flatMap { ["-Xlinker", $0] },
        .when(configuration: .release))
]

/// Returns a room that wraps a C library.
///
/// Strict memory safety is off: nearly every line would need `unsafe`.
func wrapper(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: program + settings)
}

/// Returns a room without C pointers, with strict memory safety.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: program + settings + [.strictMemorySafety()])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: language)
}

let package = Package(
    name: "bluefleet",
    products: [
        .executable(name: "bluefleet", targets: ["bluefleet"]),
        .executable(name: "bluefleet-dashboard", targets: ["bluefleet-dashboard"]),
        // For LD_PRELOAD in CommandLineTests.
        .library(name: "DiskFaults", type: .dynamic, targets: ["DiskFaults"]),
    ],
    targets: [
        system("CLinux", nil, "libc6-dev"),
        system("CDBus", "dbus-1", "libdbus-1-dev"),
        system("CMosquitto", "libmosquitto", "libmosquitto-dev"),
        system("CJSON", "json-c", "libjson-c-dev"),
        system("CYAML", "yaml-0.1", "libyaml-dev"),
        system("CCrypto", "libcrypto", "libssl-dev"),
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        system("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
        // Not linked: the program loads it.
        system("CCurl", nil, "libcurl4-openssl-dev"),
        // A program links only the files that it uses.
        .target(
            name: "CEmbeddedFiles", publicHeadersPath: ".",
            cSettings: [.unsafeFlags(["-std=c23", "-ffunction-sections", "-fdata-sections"])]),

        wrapper("System", ["CLinux"], simulated),
        wrapper("EventLoop", ["CLinux", "System"]),
        room("Log", ["System"]),
        wrapper("JSON", ["CJSON"]),
        room("Bluetooth"),

        room("Codec", ["Bluetooth", "JSON", "CCrypto"]),
        wrapper("DBus", ["EventLoop", "Log", "System", "CDBus"]),
        wrapper("MQTT", ["EventLoop", "System", "CMosquitto"]),
        room("Configuration", ["Bluetooth", "Codec", "System", "CYAML"], small),

        wrapper("Spool", ["EventLoop", "System", "CSQLite"], small),
        wrapper("HTTP", ["EventLoop", "System", "CMicroHTTPD"], small),

        room("BlueZ", ["Bluetooth", "DBus", "EventLoop", "System"]),
        room("Contract", ["Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "System"], small),
        room("Survey", ["BlueZ", "Codec", "Bluetooth", "JSON", "System"], small),
        room("HomeAssistant", ["Contract", "Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "System"], small),
        room("Dashboard", ["Contract", "Configuration", "HTTP", "Bluetooth", "JSON", "System"], small),
        room("Sharing", ["Contract", "System"], small + simulated),
        wrapper("Seat", ["Contract", "Configuration", "EventLoop", "JSON", "CCurl"], small),
        room("Devices", ["Contract", "Configuration", "Codec", "Bluetooth", "JSON", "System"], small),
        room(
            "Bridge",
            [
                "Devices", "HomeAssistant", "Sharing", "Seat", "Survey", "Contract", "BlueZ", "Configuration", "MQTT",
                "Spool",
                "Codec", "Bluetooth", "JSON", "Log", "EventLoop", "System",
            ]),
        .target(
            name: "Simulator",
            dependencies: [
                "DBus", "Bluetooth", "Codec", "JSON", "EventLoop", "System", "Configuration", "CEmbeddedFiles",
            ],
            swiftSettings: program + small + [.strictMemorySafety()]),
        .executableTarget(
            name: "bluefleet",
            dependencies: [
                "Bridge", "Devices", "Seat", "Survey", "Contract", "Simulator", "BlueZ", "Configuration", "Codec",
                "Bluetooth",
                "Log", "EventLoop", "MQTT", "Spool", "DBus", "JSON", "System", "CEmbeddedFiles",
            ],
            swiftSettings: program + small + [.strictMemorySafety()], linkerSettings: compact),
        .executableTarget(
            name: "bluefleet-dashboard",
            dependencies: [
                "Dashboard", "Contract", "Configuration", "HTTP", "MQTT", "Spool", "JSON", "Log", "EventLoop",
                "System", "CEmbeddedFiles",
            ],
            exclude: ["page"],
            swiftSettings: program + small + [.strictMemorySafety()], linkerSettings: compact),

        tests("ArchitectureTests", []),
        tests("SystemTests", ["System"]),
        tests("EventLoopTests", ["EventLoop", "System"]),
        .target(
            name: "TestSupport", dependencies: ["CLinux", "EventLoop", "System"], path: "Tests/TestSupport",
            swiftSettings: language),
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: language),
        tests("JSONTests", ["JSON"]),
        tests("LogTests", ["Log", "System"]),
        tests("BluetoothTests", ["Bluetooth"]),
        .target(
            name: "CodecFuzzing", dependencies: ["Codec", "Bluetooth", "Configuration"], path: "Tests/CodecFuzzing",
            swiftSettings: language),
        .testTarget(
            name: "CodecTests", dependencies: ["Codec", "Bluetooth", "JSON", "CodecFuzzing", "TestSupport"],
            resources: [.copy("Vectors")],
            swiftSettings: language),
        tests("ConfigurationTests", ["Configuration", "Codec", "Bluetooth", "System", "TestSupport"]),
        tests("DBusTests", ["DBus", "EventLoop", "System"]),
        tests(
            "BlueZTests",
            ["BlueZ", "Bluetooth", "Simulator", "DBus", "EventLoop", "System", "TestSupport", "TestTraits"]),
        tests("ContractTests", ["Contract", "Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "System"]),
        .target(
            name: "HomeAssistantSchema", dependencies: ["JSON"], path: "Tests/HomeAssistantSchema",
            resources: [.copy("device-classes.json")], swiftSettings: language),
        tests(
            "HomeAssistantTests",
            [
                "HomeAssistant", "HomeAssistantSchema", "Contract", "Configuration", "MQTT", "Codec", "Bluetooth",
                "JSON",
            ]),
        tests(
            "DevicesTests",
            ["Devices", "Contract", "Configuration", "Codec", "Bluetooth", "JSON", "System", "TestSupport"]),
        // The simulated world takes millions of steps.
        .target(
            name: "FleetWorld", dependencies: ["Sharing", "Contract", "JSON", "System", "TestSupport"],
            path: "Tests/FleetWorld", swiftSettings: language + simulated),
        tests(
            "SeatTests", ["Seat", "Configuration", "Contract", "HTTP", "JSON", "EventLoop", "System", "TestSupport"]),
        tests("SharingTests", ["FleetWorld", "Sharing", "Contract", "JSON", "System", "TestSupport"]),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "Bridge", "Devices", "HomeAssistant", "Survey", "Contract", "BlueZ", "Configuration", "Simulator",
                "Spool",
                "Codec", "MQTT", "DBus", "JSON", "Bluetooth", "Log", "HomeAssistantSchema",
                "EventLoop", "System", "TestSupport", "TestTraits",
            ],
            swiftSettings: language),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Simulator", "DBus", "EventLoop", "System", "Bluetooth", "Configuration", "TestSupport",
            ],
            exclude: ["Bleak"],
            swiftSettings: language),
        .target(name: "PowerCut", dependencies: ["CSQLite"], path: "Tests/PowerCut"),
        tests("SpoolTests", ["Spool", "EventLoop", "System", "PowerCut", "TestSupport"]),
        tests("MQTTTests", ["MQTT", "EventLoop", "System", "TestSupport", "TestTraits"]),
        .executableTarget(name: "BenchmarkFlood", dependencies: ["CDBus"], path: "Tests/Benchmark/flood"),
        .target(
            name: "BenchmarkSupport", dependencies: ["TestSupport", "DBus", "EventLoop", "System"],
            path: "Tests/Benchmark/support",
            swiftSettings: language),
        tests("BenchmarkTests", ["BenchmarkSupport", "BenchmarkFlood", "TestTraits"]),
        .target(name: "DiskFaults", path: "Tests/DiskFaults"),
        tests(
            "DashboardTests",
            [
                "bluefleet-dashboard", "Dashboard", "HTTP", "Contract", "Configuration", "MQTT", "Bluetooth", "JSON",
                "EventLoop", "System", "TestSupport",
            ]),
        .testTarget(
            name: "BrowserTests", dependencies: ["bluefleet", "bluefleet-dashboard", "TestSupport"],
            exclude: ["page", "pictures", "requirements.txt"],
            swiftSettings: language),
        tests(
            "CommandLineTests",
            [
                "bluefleet", "Simulator", "Spool", "EventLoop", "System", "JSON", "Bluetooth", "Codec", "Configuration",
                "Contract", "Seat",
                "DBus",
                "MQTT", "CLinux",
                "TestSupport", "TestTraits",
            ]),
        .testTarget(
            name: "RealBlueZTests", dependencies: ["bluefleet", "TestSupport", "System"],
            exclude: ["guest", "machine", "matrix"],
            swiftSettings: language),
    ]
)

// libFuzzer has its own main(): the target builds only with -sanitize=fuzzer.
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
            name: "benchmark", dependencies: ["BenchmarkSupport", "EventLoop", "System", "TestSupport"],
            path: "Tests/Benchmark/runner",
            swiftSettings: language),
        .target(name: "CountingMalloc", path: "Tests/CountingMalloc"),
        .executableTarget(
            name: "CodecBenchmark", dependencies: ["Codec", "Bluetooth", "CountingMalloc"],
            path: "Tests/CodecBenchmark", swiftSettings: language),
    ]
}
