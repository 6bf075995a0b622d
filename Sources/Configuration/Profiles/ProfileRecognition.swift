package import Bluetooth
import Codec

/// Proposes profiles for a device by what it advertises; it never applies one.
package struct ProfileRecognition: Sendable {
    /// A profile that fits a device.
    package struct Proposal: Sendable, Equatable {
        package let name: String
        /// Whether more than the name of the device fits, which other devices may have.
        package let isCertain: Bool
    }

    private let matches: [(name: String, match: Configuration.FleetRule.Match)]

    /// Creates the rules of all profiles of a library; profiles with mistakes are left out.
    package init(_ library: ProfileLibrary) {
        matches = library.names.flatMap { name in
            ((try? library.profile(named: name))?.recognition ?? []).map { (name, $0) }
        }
    }

    /// Returns the profiles that fit a device, the certain ones first.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - name: Its name; nil if it has none.
    ///   - services: The services that it offers.
    ///   - companies: The companies of its manufacturer data.
    /// - Returns: The proposals.
    package func proposals(
        for address: Address, name: String?, services: [UUID], companies: some Collection<UInt16>
    ) -> [Proposal] {
        var found: [Proposal] = []
        for (profile, match) in matches {
            if let pattern = match.address, !pattern.matches(address.description) { continue }
            if let pattern = match.name, name.map(pattern.matches) != true { continue }
            if let company = match.manufacturer, !companies.contains(company) { continue }
            guard match.services.allSatisfy(services.contains) else { continue }
            let isCertain = match.address != nil || match.manufacturer != nil || !match.services.isEmpty
            if let index = found.firstIndex(where: { $0.name == profile }) {
                if isCertain { found[index] = Proposal(name: profile, isCertain: true) }
            } else {
                found.append(Proposal(name: profile, isCertain: isCertain))
            }
        }
        return found.filter(\.isCertain) + found.filter { !$0.isCertain }
    }
}
