/// An answer that is ready, or that must be waited for.
///
/// A store returns the answers that it has in memory at once, on the thread that asks, such as an event loop. Other answers
/// are awaited in a task. A caller maps an answer without asking which of the two it is:
///
/// ```swift
/// try store.access(of: user, atLeast: 0).map { lookup in response(to: lookup) }
/// ```
package enum Answer<Value: Sendable>: Sendable {
    /// The value.
    case ready(Value)

    /// The function that returns the value. It is called once.
    case waiting(@Sendable () async throws -> Value)

    /// The value, once it is there.
    ///
    /// - Throws: The error of the wait.
    package var value: Value {
        get async throws {
            switch self {
            case .ready(let value): value
            case .waiting(let wait): try await wait()
            }
        }
    }

    /// Returns the answer that a function makes of the value.
    ///
    /// The answer is ready if the value is. The function is then called now.
    ///
    /// - Throws: The error of the function, if the value is ready.
    package func map<Other, Failure>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> Other
    ) throws(Failure) -> Answer<Other> {
        switch self {
        case .ready(let value): .ready(try transform(value))
        case .waiting(let wait): .waiting { try transform(try await wait()) }
        }
    }

    /// Returns the answer with a function in place of the errors of the wait, which returns or throws another.
    package func recovering(_ recover: @escaping @Sendable (any Error) throws -> Value) -> Answer {
        guard case .waiting(let wait) = self else { return self }
        return .waiting {
            do { return try await wait() } catch { return try recover(error) }
        }
    }
}
