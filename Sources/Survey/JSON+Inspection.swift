import BlueZ
import Codec
package import JSON

extension JSON {
    /// Creates the JSON of inspected services: the response to the verb `discover`, with descriptions and values.
    package init(_ inspection: Inspection) {
        self = .array(
            inspection.parts.map { part in JSON(part.service, characteristics: part.findings.map { JSON($0) }) })
    }

    private init(_ finding: Inspection.Finding) {
        var members = JSON.members(of: finding.characteristic)
        members.add("description", finding.description)
        switch finding.value {
        case .success(let bytes)?: members["hex"] = .string(bytes.hexadecimal)
        case .failure(let error)?: members["error"] = .string(error.message)
        case nil: break
        }
        members.add("reading", finding.reading.map { JSON(.record($0.payload)) })
        self = .object(members)
    }
}
