import Logging
package import ServiceLifecycle

/// Serves while a body runs, which gets the port.
///
/// Hummingbird's own live test makes a connection of its client's besides, and fails if that takes more than five
/// seconds: on a busy machine, or behind the hundreds that a test makes.
///
/// - Parameters:
///   - makeService: makes the server, which tells its port once it listens.
///   - body: asks the server.
/// - Returns: the result of the body.
/// - Throws: the error of the body, or the one that ended the server.
package func withServer<Value: Sendable>(
    _ makeService: (_ onListening: @escaping @Sendable (Int) -> Void) -> any Service,
    _ body: (Int) async throws -> Value
) async throws -> Value {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let service = makeService { port in
        listening.yield(port)
        listening.finish()
    }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let services = ServiceGroup(configuration: .init(services: [service], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listening.finish() }
            try await services.run()
        }
        var port: Int?
        for await number in ports { port = number }
        guard let port else {
            try await group.waitForAll()
            throw NoPort()
        }
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(port)) } catch { outcome = .failure(error) }
        await services.triggerGracefulShutdown()
        let value = try outcome.get()
        try await group.waitForAll()
        return value
    }
}

/// A server that ended before it listened.
private struct NoPort: Error {}
