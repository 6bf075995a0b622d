package import JSON

/// The response to a request.
package struct Response: Sendable {
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
        case .failure(let error): members["error"] = error.json
        }
        return .object(members)
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
