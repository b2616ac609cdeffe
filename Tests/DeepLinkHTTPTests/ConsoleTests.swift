import EmbeddedFiles
import HTTPTypes
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

@Suite struct ConsoleTests {
    /// The paths of the page, and of every file beside it.
    private static let paths =
        ["/console", "/console/link", "/console/users", "/console/users/a%20b", "/console/report"]
        + (1..<console_page_file_count()).map { "/console/" + String(cString: console_page_file_at($0).name) }

    private func get(
        _ path: String,
        _ host: String = "localhost",
        fields: String = "",
        consoleHosts: [String] = [],
        in circumstance: TestServer.Circumstance = .usual
    ) async throws -> RawResponse {
        let service = try TestServer.service(circumstance, consoleHosts: consoleHosts)
        return try await TestServer.application(service)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
                return try await connection.exchange(Array(request.utf8))
            }
    }

    private func field(_ name: String, _ response: RawResponse) -> [String] {
        response.head.filter { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    @Test(arguments: paths)
    func `every file is answered with the page's own policy, and revalidated`(path: String) async throws {
        let response = try await get(path)
        #expect(response.status == 200)
        let policies = field("Content-Security-Policy", response)
        let policy = try #require(policies.first)
        #expect(policies.count == 1)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(field("Cache-Control", response) == ["no-cache"])
        #expect(field("X-Content-Type-Options", response) == ["nosniff"])
        let tag = try #require(field("ETag", response).first)
        let known = try await get(path, fields: "If-None-Match: \(tag)\r\n")
        #expect(known.status == 304)
        #expect(known.text.isEmpty)
    }

    @Test func `all of it has at most 128 KB, and names nothing elsewhere`() {
        var count = 0
        for index in 0..<console_page_file_count() {
            let file = console_page_file_at(index)
            count += file.count
            let text = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            let addresses = text.matches(of: /https?:\/\/[a-z0-9.]+/).map { String($0.output) }
            #expect(Set(addresses).isSubset(of: ["http://www.w3.org"]), "\(String(cString: file.name))")
        }
        #expect(count <= 131_072, "\(count)")
        #expect(console_page_file_at(0).name.pointee == 0)
    }

    @Test func `hosts of https origins have no console, unless they are listed`() async throws {
        #expect(try await get("/console", "loremipsum.com").status == 404)
        #expect(try await get("/console", "WWW.loremipsum.com").status == 404)
        #expect(try await get("/console/console.js", "loremipsum.com").status == 404)
        #expect(try await get("/console", "loremipsum.com", consoleHosts: ["Loremipsum.com"]).status == 200)
        #expect(try await get("/console", "www.loremipsum.com", consoleHosts: ["loremipsum.com"]).status == 404)
        #expect(try await get("/console", "links.internal").status == 200)
    }

    @Test func `the page needs no credentials, and anything else that is not there is 404`() async throws {
        #expect(try await get("/console", in: .tokens).status == 200)
        for path in ["/console/nothing", "/console/index.html", "/console/users/a/b", "/console/%2e%2e"] {
            #expect(try await get(path, in: .tokens).status != 200, "\(path)")
        }
    }

    @Test func `without the console its paths are the server's own, and empty`() throws {
        let table = try TestServer.service(consoleHosts: nil).table
        #expect(table.endpoints.count == (try TestServer.endpoints().count) - 8)
        for path in ["/console", "/console/link", "/console/users/ada"] {
            #expect(
                table.destination(of: path, pathByteCount: path.utf8.count, by: .get).endpoint === Endpoint.reserved,
                "\(path) is answered"
            )
        }
    }
}
