import DeepLinkCatalog
import DeepLinkCore
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import DeepLinkHTTP
@testable import HTTPServer

/// The states of short links over changes of the catalog.
@Suite struct ShortLinkStateTests {
    /// Short links on a server whose catalog changes.
    private struct Server {
        let client: any TestClientProtocol
        let live: LiveCatalog

        /// Takes the catalog with parts of its text replaced.
        func change(_ edits: [(part: String, other: String)]) throws {
            var text = TestServer.shortLinks
            for edit in edits {
                #expect(text.contains(edit.part))
                text = text.replacing(edit.part, with: edit.other)
            }
            live.replace(with: try CatalogLoader.load(Array(text.utf8), file: "changed"))
        }

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String? = nil
        ) async throws -> (status: Int, text: String) {
            let response = try await client.execute(
                uri: path,
                method: method,
                headers: [.contentType: "application/json", .authorization: "Bearer \(TestToken.publisher.text)"],
                body: body.map { ByteBuffer(string: $0) }
            )
            return (response.status.code, String(buffer: response.body))
        }

        /// The state and the target that the link of a code has, which are those of resolving it.
        func standing(_ code: String) async throws -> String {
            let link = try await send(.get, "/v1/short-links/\(code)").text
            let resolved = try await send(.get, "/v1/resolve?link=https%3A%2F%2Fgo.example%2F\(code)")
            let listed = try await send(.get, "/v1/short-links?state=broken").text
            let isBroken = link.contains(#""state":"broken""#)
            #expect(listed.contains("\"code\":\"\(code)\"") == isBroken, "\(listed)")
            if isBroken {
                let problem = try #require(link.firstMatch(of: /"problem":(\{.*\}),"catalogVersion"/)?.1)
                #expect(resolved.text == problem, "\(link)")
                #expect(resolved.status >= 400)
                return try #require(resolved.text.firstMatch(of: /"urn:waymark:problem:([a-z-]+)"/)).1.description
            }
            #expect(link.contains(#""state":"working""#), "\(link)")
            let target = try #require(link.firstMatch(of: /"target":"https:\/\/shop.example([^"]*)"/)).1
            #expect(resolved.status == 200 || resolved.status == 403, "\(resolved.text)")
            if resolved.status == 200 {
                #expect(
                    resolved.text.contains(#""canonicalLink":"https://shop.example\#(target)""#),
                    "\(resolved.text)"
                )
            }
            return target.description
        }
    }

    private func withServer(_ body: @Sendable @escaping (Server) async throws -> Void) async throws {
        let live = LiveCatalog(try TestServer.Circumstance.shortLinks.catalog())
        let service = try TestServer.service(.shortLinks, catalog: live)
        try await TestServer.application(service).test(.router) { try await body(Server(client: $0, live: live)) }
    }

    @Test func `the state of a link is what resolving its code says, by each catalog in turn`() async throws {
        try await withServer { server in
            for (code, link) in [("five", "product/5"), ("mine", "account"), ("start", "login")] {
                let body = #"{"link":"https://shop.example/\#(link)"}"#
                let made = try await server.send(.post, "/v1/short-links/\(code)", body)
                #expect(made.status == 201, "\(made.text)")
            }
            let first = try await server.standing("five")
            #expect(first == "/product/5")
            // A renamed path.
            try server.change([("product/{id}", "article/{id}")])
            #expect(try await server.standing("five") == "/article/5")
            // A path that another route has taken.
            try server.change([("path: \"product/{id}\"", "path: \"p/{id}\""), ("offer/{id}", "product/{id}")])
            #expect(try await server.standing("five") == "/p/5")
            // A value that is refused.
            try server.change([("id: int }, web:", "id: { type: int, min: 6 } }, web:")])
            #expect(try await server.standing("five") == "invalid-parameter")
            // A route that is gone.
            try server.change([
                ("product: push, ", ""),
                ("  product: { path: \"product/{id}\", parameters: { id: int }, web: { title: \"Product\" } }", ""),
            ])
            #expect(try await server.standing("five") == "no-matching-route")
            #expect(try await server.standing("start") == "/login")
            // A level that is raised is no break.
            try server.change([("product: { path", "product: { authorizationLevel: signedInUser, path")])
            #expect(try await server.standing("five") == "/product/5")
            try server.change([])
            for (code, target) in [("five", "/product/5"), ("mine", "/account"), ("start", "/login")] {
                let standing = try await server.standing(code)
                #expect(standing == target)
            }
        }
    }

    @Test func `no code is found once the catalog has no origin of short links`() async throws {
        try await withServer { server in
            let made = try await server.send(
                .post,
                "/v1/short-links/five",
                #"{"link":"https://shop.example/product/5"}"#
            )
            #expect(made.status == 201, "\(made.text)")
            try server.change([("  - { scheme: https, hosts: [go.example, g.example], shortLinks: true }\n", "")])
            #expect(try await server.send(.get, "/v1/short-links/five").text.contains("not-found"))
            let resolved = try await server.send(.get, "/v1/resolve?link=https%3A%2F%2Fgo.example%2Ffive")
            #expect(resolved.status == 404 && resolved.text.contains("unknown-origin"), "\(resolved.text)")
        }
    }
}
