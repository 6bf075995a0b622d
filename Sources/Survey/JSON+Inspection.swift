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
        var members: [(String, JSON)] = []
        if let description = finding.description { members.append(("description", .string(description))) }
        switch finding.value {
        case .success(let bytes)?: members.append(("hex", .string(bytes.hexadecimal)))
        case .failure(let error)?: members.append(("error", .string(error.message)))
        case nil: break
        }
        if let reading = finding.reading { members.append(("reading", JSON(.record(reading.payload)))) }
        self = .object(Object(JSON.members(of: finding.characteristic) + members))
    }
}
