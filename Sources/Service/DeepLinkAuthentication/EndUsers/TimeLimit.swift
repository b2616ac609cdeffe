/// A limit for the time of an exchange with another server.
struct TimeLimit: Sendable {
    /// The error of an exchange that takes longer.
    struct Exceeded: Error {}

    /// The most time.
    let duration: Duration

    /// The time in whole seconds.
    var seconds: Int64 { duration.components.seconds }

    /// Returns the result of a body, unless it takes longer, and is then cancelled.
    ///
    /// - Throws: ``Exceeded``, or the error of the body.
    func apply<Value: Sendable>(
        to body: @escaping @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: duration)
                throw Exceeded()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
