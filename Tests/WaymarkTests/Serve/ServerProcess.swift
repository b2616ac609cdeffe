import Foundation
import Glibc
import Synchronization
import Testing
import WaymarkTestSupport

/// A running `waymark serve`, on a port that was free.
final class ServerProcess: Sendable {
    private let process: Process
    private let written = ServerLog()
    let port: Int

    /// The process id.
    var id: Int32 { process.processIdentifier }

    /// Starts a server, by itself or through a command that limits it, and waits until it listens.
    static func start(
        database: String,
        catalog: String? = nil,
        options: [String] = [],
        through wrapper: [String] = []
    ) async throws -> ServerProcess {
        try await RawConnection.offPool {
            try ServerProcess(database: database, catalog: catalog, options: options, wrapper)
        }
    }

    private init(database: String, catalog: String?, options: [String], _ wrapper: [String]) throws {
        // No balancer must be told that it ends.
        var arguments = ["serve", "--port", "0", "--drain-seconds", "0", "--database", database] + options
        if let catalog { arguments += ["--catalog", catalog] }
        process = Waymark.process(arguments, through: wrapper)
        let log = Pipe()
        process.standardError = log
        try process.run()
        var text = ""
        var port: Int?
        while port == nil {
            let data = log.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(log: text) }
            text += String(decoding: data, as: UTF8.self)
            port = text.firstMatch(of: /Listening on https?:\/\/[0-9.]+:(\d+)/).flatMap { Int($0.1) }
        }
        self.port = port ?? 0
        written.append(text)
        // Further log lines must not fill the pipe. A thread reads it: Dispatch's own watching of a descriptor does
        // not outlive the descriptor's end well.
        let file = log.fileHandleForReading
        Thread.detachNewThread { [written] in
            while true {
                let data = file.availableData
                guard !data.isEmpty else { return }
                written.append(String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// The text that the server has logged so far.
    var logged: String { written.text }

    /// The error of a server that ended instead of listening.
    struct Failure: Error {
        let log: String
    }

    /// Ends the process without warning.
    func kill() async throws {
        Glibc.kill(process.processIdentifier, SIGKILL)
        try await RawConnection.offPool { [process] in process.waitUntilExit() }
    }

    /// Asks the process to stop.
    func terminate() { process.terminate() }

    /// Waits for the end of the process, and returns its exit code.
    func exitCode() async throws -> Int32 {
        try await RawConnection.offPool { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// Sends the process a signal.
    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    /// Makes one request on a connection of its own.
    func request(
        _ method: String,
        _ target: String,
        body: String? = nil,
        token: String? = nil
    ) async throws -> RawResponse {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return try await RawConnection(port: port).exchange(Array((text + "\r\n" + (body ?? "")).utf8))
    }

    /// Starts a server in a folder of its own, runs a body, and stops it.
    static func with<Result>(_ body: (ServerProcess) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let server = try await start(database: folder + "/states.sqlite")
            do {
                let result = try await body(server)
                server.terminate()
                #expect(try await server.exitCode() == 0)
                return result
            } catch {
                try await server.kill()
                throw error
            }
        }
    }
}

/// The log of a server: one thread reads it, others ask for it.
private final class ServerLog: Sendable {
    private let contents = Mutex("")

    /// The text that has been logged so far.
    var text: String { contents.withLock { $0 } }

    /// Adds what has just been read.
    func append(_ text: String) { contents.withLock { $0 += text } }
}
