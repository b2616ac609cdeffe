package import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves while a body runs, which gets the port.
    ///
    /// Hummingbird's own live test makes a connection of its client's besides, and fails where that takes more than five
    /// seconds: on a busy machine, or behind the hundreds that a test makes.
    ///
    /// - Throws: what the body throws, or what ended the server.
    package func whileServing<Value: Sendable>(_ body: (Int) async throws -> Value) async throws -> Value {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = ServedApplication(base: self, port: listening)
        let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
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
}

/// Reports a server that ended before it listened.
private struct NoPort: Error {}
