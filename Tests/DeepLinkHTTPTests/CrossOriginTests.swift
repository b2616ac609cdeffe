import DeepLinkCore
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of the access of pages of other origins.
@Suite struct CrossOriginTests {
    private static let page = "https://app.example.com"

    private func ask(
        _ lines: [String],
        origins: [String] = [page],
        _ circumstance: TestServer.Circumstance = .tokens
    ) async throws -> RawResponse {
        let rules = try CrossOriginRules(origins)
        let service = try TestServer.service(circumstance, crossOrigins: rules)
        let request = (lines + ["Host: localhost", "", ""]).joined(separator: "\r\n")
        return try await TestServer.application(service)
            .whileServing { port in
                try await RawConnection(port: port).exchange(Array(request.utf8))
            }
    }

    private static func origin(_ text: String = page) -> String { "Origin: \(text)" }

    private static let admin = "Authorization: Bearer \(TestToken.admin.text)"
    private static let method = "Access-Control-Request-Method: POST"

    /// The fields of a response that are about origins.
    private func fields(_ response: RawResponse) -> [String] {
        response.head.filter { $0.hasPrefix("Access-Control-") || $0.hasPrefix("Vary") }.sorted()
    }

    @Test(arguments: ["GET /v1/resolve?link=navigation:/onboarding", "GET /v1/users/ada", "DELETE /v1/users/ada"])
    func `a page that is listed may read every answer, and no other may`(_ line: String) async throws {
        for credentials in [[Self.admin], []] {
            let response = try await ask(["\(line) HTTP/1.1", Self.origin()] + credentials)
            #expect(credentials.isEmpty == (response.status == 401))
            #expect(
                fields(response) == [
                    "Access-Control-Allow-Origin: \(Self.page)",
                    "Access-Control-Expose-Headers: "
                        + "ETag, Retry-After, WWW-Authenticate, Waymark-Signature, X-Request-Id",
                    "Vary: Origin",
                ]
            )
            for other in [
                "https://evil.example", "null", "https://app.example.com.evil.example", "*", "http://app.example.com",
            ] {
                let response = try await ask(["\(line) HTTP/1.1", Self.origin(other)] + credentials)
                #expect(fields(response) == ["Vary: Origin"], "\(other)")
            }
            #expect(fields(try await ask(["\(line) HTTP/1.1"] + credentials)) == ["Vary: Origin"])
        }
    }

    @Test(arguments: ["/v1/users/ada", "/v1/resolve", "/v1/continuations", "/onboarding", "/v1/resolve/batch"])
    func `a browser that asks beforehand is told, without credentials`(_ path: String) async throws {
        let response = try await ask(["OPTIONS \(path) HTTP/1.1", Self.origin(), Self.method])
        #expect(response.status == 204)
        let found = fields(response)
        let allow = try #require(response.head.first { $0.hasPrefix("Allow: ") })
        #expect(found.contains("Access-Control-Allow-Origin: \(Self.page)"))
        #expect(found.contains("Access-Control-Allow-Methods: \(allow.dropFirst(7))"))
        #expect(found.contains { $0.hasPrefix("Access-Control-Allow-Headers: Authorization, Content-Type, ") })
        #expect(found.contains("Access-Control-Max-Age: 600") && found.contains("Vary: Origin"))
        for lines in [[Self.origin("https://evil.example"), Self.method], [Self.origin()], [Self.method]] {
            let refused = try await ask(["OPTIONS \(path) HTTP/1.1"] + lines)
            #expect(refused.status == 401)
            #expect(!refused.head.contains { $0.hasPrefix("Access-Control-Allow-Methods") })
        }
    }

    @Test func `no credentials go with any origin`() async throws {
        let line = "GET /v1/resolve?link=navigation:/onboarding HTTP/1.1"
        let plain = try await ask([line, Self.origin("https://any.example")], origins: ["*"], .anonymous)
        #expect(plain.status == 200)
        #expect(fields(plain).contains("Access-Control-Allow-Origin: *"))
        let known = try await ask([line, Self.origin("https://any.example"), Self.admin], origins: ["*"], .anonymous)
        #expect(fields(known) == ["Vary: Origin"])
        let asked = try await ask(
            ["OPTIONS /v1/resolve HTTP/1.1", Self.origin(), Self.method],
            origins: ["*"],
            .anonymous
        )
        #expect(asked.status == 204)
        #expect(!asked.head.contains { $0.hasPrefix("Access-Control-Allow-Headers") && $0.contains("Authorization") })
        // A page that is listed beside it keeps its credentials.
        let listed = try await ask([line, Self.origin(), Self.admin], origins: ["*", Self.page], .anonymous)
        #expect(fields(listed).contains("Access-Control-Allow-Origin: \(Self.page)"))
    }

    @Test func `without the setting nothing is said`() async throws {
        let response = try await ask(["GET /healthz HTTP/1.1", Self.origin()], origins: [])
        #expect(response.status == 200)
        #expect(fields(response).isEmpty)
        #expect(try await ask(["OPTIONS /v1/resolve HTTP/1.1", Self.origin(), Self.method], origins: []).status == 401)
    }

    @Test(arguments: [
        "app.example.com", "https://", "https://app.example.com/", "https://App.example.com", "https://*.example.com",
        "null",
        "https://a b", "https://u@example.com", "",
    ])
    func `what is no origin is refused`(_ text: String) {
        #expect(throws: InvalidOriginError.self) { try CrossOriginRules([text]) }
    }
}
