import Codec
import System

/// The files of the profiles that a configuration names; each is read once.
final class ProfileFiles {
    let library: ProfileLibrary
    private var profiles: [String: ShippedProfile?] = [:]

    init(_ library: ProfileLibrary) {
        self.library = library
    }

    /// The profiles that the configuration names, sorted by name.
    var used: [Configuration.UsedProfile] {
        profiles.values.compactMap { profile in
            guard let profile else { return nil }
            let shipped = library.shippedPath(of: profile.name)
            let replaced = shipped != profile.path && shipped != nil ? library.version(of: profile.name) : nil
            return Configuration.UsedProfile(
                name: profile.name, path: profile.path, version: profile.version, replacedVersion: replaced)
        }
        .sorted { $0.name < $1.name }
    }

    /// Returns whether there is a profile with this name.
    func contains(_ name: String) -> Bool { library.path(of: name) != nil }

    /// Returns a profile; nil if there is none, or if its file has mistakes, which are reported.
    func profile(named name: String, _ mistakes: Mistakes) -> ShippedProfile? {
        if let known = profiles[name] { return known }
        let profile = read(name, mistakes)
        profiles[name] = .some(profile)
        return profile
    }

    private func read(_ name: String, _ mistakes: Mistakes) -> ShippedProfile? {
        guard let path = library.path(of: name), let root = mistakes.contents(ofFile: path) else { return nil }
        return ShippedProfile(name, path: path, root, mistakes)
    }
}

extension Mistakes {
    /// Reads a YAML file that one of the files names.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The contents; nil if the file cannot be read or is no YAML, which is reported.
    func contents(ofFile path: String) -> YAMLNode? {
        let file = addFile(path)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.bytes(of: path, limit: YAMLParser.Limit.bytes)
        } catch {
            report("cannot read the file: \(error.reason)", at: Position(file: file, line: 1, column: 1))
            return nil
        }
        do throws(YAMLError) {
            return try YAMLParser.parse(bytes, file: file)
        } catch {
            report(error.message, at: error.position)
            return nil
        }
    }
}

extension ProfileLibrary {
    /// Reads a profile.
    ///
    /// - Throws: `ConfigurationError` with all mistakes in the file, and with one if there is no such profile.
    package func profile(named name: String) throws(ConfigurationError) -> ShippedProfile {
        let mistakes = Mistakes(in: path(of: name) ?? name)
        guard let profile = profile(named: name, mistakes), mistakes.isEmpty else {
            throw ConfigurationError(mistakes: mistakes.sorted, warnings: mistakes.warnings)
        }
        return profile
    }

    /// Returns a profile; nil if there is none, or if its file has mistakes, which is reported.
    func profile(named name: String, _ mistakes: Mistakes) -> ShippedProfile? {
        guard path(of: name) != nil else {
            mistakes.reportUnknown("profile", name, among: names, at: .start)
            return nil
        }
        return ProfileFiles(self).profile(named: name, mistakes)
    }

    /// The version of the shipped profile with a name; nil if there is none, or if its file has mistakes.
    fileprivate func version(of name: String) -> Int? {
        guard let path = shippedPath(of: name), let text = TextFile.read(path), let root = try? YAMLParser.parse(text)
        else { return nil }
        return ShippedProfile(name, path: path, root, Mistakes(in: path))?.version
    }
}
