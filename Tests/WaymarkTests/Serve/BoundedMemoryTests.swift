import Foundation
import Testing
import WaymarkTestSupport

/// The memory of a server beside what is sent to it: what a body is made into is bounded before it is made.
@Suite(.serialized) struct BoundedMemoryTests {
    /// The most that a body of at most 1 MiB may take at its worst, in kibibytes: some copies of it, and what is made of it;
    /// under AddressSanitizer, which keeps freed memory for a while, four times that.
    private static let limit = (Effort.sanitizer == "address" ? 4 : 1) * 64 * 1024

    /// The value of a line of `/proc/<pid>/status`, in kibibytes.
    private static func status(_ name: String, of server: ServerProcess) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(server.id)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.split(separator: "\t")[1].split(separator: " ").first { !$0.isEmpty } ?? ""))
    }

    /// Returns the growth of a server's memory at the worst moment of a request.
    private static func growth(of server: ServerProcess, by request: String) async throws -> (Int, String) {
        try "5".write(toFile: "/proc/\(server.id)/clear_refs", atomically: false, encoding: .utf8)
        let before = try status("VmRSS", of: server)
        let answer = try await RawConnection(port: server.port).exchangeUntilClose(Array(request.utf8))
        return (try status("VmHWM", of: server) - before, answer)
    }

    private static func post(_ target: String, _ type: String, _ body: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A file of an app with a pattern, and a variable of some values.
    private static func association(_ pattern: String, values: Int = 0) -> String {
        let list = Array(repeating: "\"" + String(repeating: "a*", count: 50) + "\"", count: values)
            .joined(separator: ",")
        let url = "https://loremipsum.com/" + String(repeating: "a", count: 3_000)
        return #"{"url":"\#(url)","platform":"ios","domain":"loremipsum.com","file":{"applinks":{"#
            + #""substitutionVariables":{"v":[\#(list)]},"#
            + #""details":[{"appIDs":["ABCDE12345.com.x"],"components":[{"/":"/\#(pattern)"}]}]}}}"#
    }

    /// Twenty steps of two containers each: a million paths.
    private static let containers: String = {
        let steps = (0..<20)
            .map { step in
                let next = step == 19 ? "end: push" : "a\(step + 1): push, b\(step + 1): push"
                return
                    "  a\(step): { path: \"\", opens: { \(next) } }\n  b\(step): { path: \"\", opens: { \(next) } }\n"
            }
            .joined()
        return "version: 1\norigins: [{ scheme: x }]\nentry: { a0: root, b0: root }\nroutes:\n\(steps)  end: {}\n"
    }()

    private static let bodies: [(name: String, request: String)] = [
        (
            "a variable named 400 times",
            post(
                "/v1/associations/test",
                "application/json",
                association(String(repeating: "$(v)", count: 400), values: 500)
            )
        ),
        (
            "a built-in variable named 7,000 times",
            post("/v1/associations/test", "application/json", association(String(repeating: "$(region)", count: 7_000)))
        ),
        ("a candidate of 2 KB", post("/v1/catalog/diff", "application/yaml", containers)),
        (
            "a body of line feeds",
            post("/v1/users", "application/x-ndjson", String(repeating: "\n", count: 1_000_000))
        ),
        (
            "a body of zeros",
            post(
                "/v1/resolve",
                "application/json",
                #"{"link":"x:/","from":[\#(String(repeating: "0,", count: 500_000))0]}"#
            )
        ),
    ]

    @Test func `no body takes much more memory than it has bytes`() async throws {
        try await ServerProcess.with { server in
            _ = try await server.request("GET", "/healthz")
            for (name, request) in Self.bodies {
                let (growth, answer) = try await Self.growth(of: server, by: request)
                #expect(growth < Self.limit, "\(name): \(growth) KiB")
                #expect(answer.utf8.count < 32_000, "\(name): \(answer.utf8.count) bytes")
            }
        }
    }
}
