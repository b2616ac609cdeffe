import DeepLinkCore
import Foundation
import Logging
import Synchronization
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests how the log is written, and what it says of requests.
@Suite struct LogTests {
    private static let time = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(time: Self.time, level: .info, message: message, metadata: metadata)
    }

    @Test func `a line of logfmt quotes what is not plain, and is one line`() {
        let metadata: Logger.Metadata = ["b": "x\ny", "a": "plain", "c": "say \"=\"", "d": "", "level": "forged"]
        #expect(
            String(decoding: line("Two words", metadata).logfmt, as: UTF8.self)
                == #"time=2026-11-18T11:06:40Z level=info message="Two words" a=plain b="x\u000ay" c="say \"=\"" d="""#
        )
    }

    @Test func `a line of JSON has numbers as numbers, and is one line`() {
        let metadata: Logger.Metadata = [
            "reason": "first\nsecond", "status": .stringConvertible(200),
            "duration": .stringConvertible(LogLine.Decimal(value: 0.0015)), "time": "forged",
        ]
        let wanted =
            #"{"time":"2026-11-18T11:06:40Z","level":"info","message":"m","duration":0.0015,"#
            + #""reason":"first\u000asecond","status":200}"#
        #expect(String(decoding: line("m", metadata).json, as: UTF8.self) == wanted)
    }

    /// Makes requests with words that no log may have, breaks the catalog, and returns what was logged.
    private func log(_ options: [String], with token: Bool = false) async throws -> [String] {
        try await TemporaryFolder.with { folder in
            let catalog = folder + "/routes.yaml"
            let sound = "version: 1\norigins: [{ scheme: nav }]\nentry: { place: root }\nroutes: { place: {} }\n"
            try sound.write(toFile: catalog, atomically: true, encoding: .utf8)
            let server = try await ServerProcess.start(
                database: folder + "/states.sqlite",
                catalog: catalog,
                options: options
            )
            _ = try await server.request("GET", "/v1/resolve?link=nav:/place?hidden&user=hidden")
            _ = try await server.request("POST", "/v1/users/hidden", body: #"{"authorizationLevel":"none"}"#)
            _ = try await server.request("GET", "/hidden?hidden", token: "hidden")
            try (sound + "faults: 1\nmore: 2\n").write(toFile: catalog, atomically: true, encoding: .utf8)
            for _ in 0..<6_000 where !server.logged.contains("catalog is refused") {
                try await Task.sleep(for: .milliseconds(50))
            }
            server.terminate()
            #expect(try await server.exitCode() == 0)
            for _ in 0..<6_000 where !server.logged.contains("Stopped") { try await Task.sleep(for: .milliseconds(50)) }
            #expect(!server.logged.contains("hidden"))
            return server.logged.split(separator: "\n").map(String.init)
        }
    }

    @Test func `requests and refused catalogs are a line each in JSON`() async throws {
        let lines = try await log(["--log-format", "json", "--log-requests", "true"])
        let objects = try lines.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        let requests = objects.filter { $0["message"] as? String == "request" }
        #expect(requests.map { $0["endpoint"] as? String } == ["/v1/resolve", "/v1/users/{id}", "web link"])
        #expect(requests.map { $0["method"] as? String } == ["GET", "POST", "GET"])
        #expect(requests.map { $0["status"] as? Int } == [200, 201, 404])
        #expect(requests.map { $0["caller"] as? String } == ["anonymous", "anonymous", "anonymous"])
        #expect(requests.allSatisfy { $0["from"] == nil })
        for request in requests {
            #expect(request["duration"] is Double)
            #expect((request["catalogVersion"] as? String)?.count == 12)
            #expect((request["requestId"] as? String)?.isEmpty == false)
        }
        #expect(objects.compactMap { $0["audit"] as? String } == ["catalog.load", "user.set", "catalog.refuse"])
        let refusals = objects.filter { ($0["message"] as? String)?.contains("catalog is refused") == true }
        #expect(refusals.count == 1)
        #expect((refusals.first?["reason"] as? String)?.contains("\n") == true)
    }

    @Test func `numbers of the database are numbers, and no line has a value of Swift`() async throws {
        let lines = try await log(["--log-format", "json", "--log-level", "debug"])
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        let opened = try #require(objects.first { $0?["message"] as? String == "Opened the database" } ?? nil)
        #expect(opened["logBytes"] is Int && opened["synchronous"] is Int)
        #expect(!lines.contains { $0.contains("Service(") || $0.contains("sl-") })
    }

    @Test func `on loopback requests are not logged unless that is asked for`() async throws {
        let lines = try await log(["--log-format", "logfmt", "--audit-path", "none"])
        #expect(lines.allSatisfy { $0.hasPrefix("time=") })
        #expect(lines.contains { $0.contains("catalog is refused") })
        #expect(!lines.contains { $0.contains("message=request") })
    }

    @Test func `off loopback requests are logged unless that is not wanted`() async throws {
        let everywhere = ["--host", "0.0.0.0", "--insecure-no-auth"]
        #expect(try await log(everywhere).filter { $0.contains("endpoint=") }.count == 3)
        #expect(try await log(everywhere + ["--log-requests", "false"]).allSatisfy { !$0.contains("endpoint=") })
    }

    @Test func `a server that cannot start says so on one line`() async throws {
        try await TemporaryFolder.with { folder in
            let catalog = folder + "/routes.yaml"
            try "version: 1\nfaults: 1\n".write(toFile: catalog, atomically: true, encoding: .utf8)
            let outcome = try await Waymark.run([
                "serve", "--log-format", "json", "--catalog", catalog, "--database", folder + "/states.sqlite",
            ])
            #expect(outcome.code == 65)
            let line = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
            #expect((line?["reason"] as? String)?.contains("faults") == true)
        }
    }
}
