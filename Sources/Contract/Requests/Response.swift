package import JSON

/// The response to a request.
package struct Response: Equatable, Sendable {
    /// The data of a successful request, or the reason of the failure.
    package let outcome: Result<JSON, RequestError>
    package let transaction: Transaction?

    package init(_ outcome: Result<JSON, RequestError>, _ transaction: Transaction? = nil) {
        self.outcome = outcome
        self.transaction = transaction
    }

    /// The payload: `status`, the transaction of the request, and `data` or `error`.
    package var json: JSON {
        var members: JSON.Object = ["status": outcome.isSuccess ? "ok" : "error"]
        members.add("transaction", transaction?.value)
        switch outcome {
        case .success(let data): members["data"] = data
        case .failure(let error):
            members["error"] = error.json
            members.add("data", error.data)
        }
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        let transaction = try? Transaction(json["transaction"])
        switch (json["status"]?.string, json["error"].flatMap({ RequestError($0) })) {
        case ("ok"?, nil): self.init(.success(json["data"] ?? .null), transaction)
        case ("error"?, let error?): self.init(.failure(error.with(json["data"])), transaction)
        default: return nil
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
