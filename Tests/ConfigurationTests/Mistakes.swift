import Configuration

/// The mistakes in a configuration, each as `line:column: message`.
func mistakes(in yaml: String, checkingFiles: Bool = false) -> [String] {
    do throws(ConfigurationError) {
        _ = try Configuration(yaml: yaml, file: "f", checkingFiles: checkingFiles)
        return []
    } catch {
        return error.mistakes.map { String($0.description.dropFirst("f:".count)) }
    }
}

/// A device `d` with the given keys in flow style.
///
/// The device starts in line 2, column 6.
func device(_ keys: String) -> String {
    "devices:\n  d: {address: C0:00:00:00:00:01, \(keys)}"
}

/// A device `d` that advertises numbers with these names.
///
/// The first name starts in line 2, column 92.
func advertised(_ names: String...) -> String {
    let fields = names.map { "{type: uint8, name: \($0)}" }.joined(separator: ", ")
    return device("advertisement: {company: 1, format: [\(fields)]}")
}

/// A device with a characteristic `c`, whose keys start in line 5, column 1.
func characteristic(_ keys: String) -> String {
    "devices:\n  d:\n    address: C0:00:00:00:00:01\n    characteristics: {c: {uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e, \n\(keys)}}"
}

/// The same characteristic with a format of one field, whose keys start in line 6, column 1.
func field(_ keys: String) -> String {
    characteristic("format: [{name: f, \n\(keys)}]")
}
