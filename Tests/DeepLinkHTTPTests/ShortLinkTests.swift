import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of short links of end users, and of codes that a store has to be asked for; `short-links.http` has the rest.
@Suite struct ShortLinkTests {
    private struct Client {
        let client: any TestClientProtocol

        /// Sends a body as an end user, or as the holder of a service token.
        func post(
            _ path: String,
            _ body: String,
            as service: TestToken? = nil,
            user: String = "ada"
        ) async throws -> (status: Int, text: String) {
            let claims = TestIssuer.claims(["sub": "\"\(user)\""])
            let token = if let service { service.text } else { try await TestIssuer.shared.value.curve.token(claims) }
            let response = try await client.execute(
                uri: path,
                method: .post,
                headers: [.contentType: "application/json", .authorization: "Bearer \(token)"],
                body: ByteBuffer(string: body)
            )
            return (response.status.code, String(buffer: response.body))
        }
    }

    private func withClient(perUser: Int, _ body: @Sendable @escaping (Client) async throws -> Void) async throws {
        let service = try TestServer.service(
            .shortLinks,
            shortLinksPerUser: perUser,
            endUsers: try await TestIssuer.verifier()
        )
        try await TestServer.application(service).test(.router) { try await body(Client(client: $0)) }
    }

    private static let path = "/v1/short-links"
    private static let product = #"{"link":"https://shop.example/product/5"}"#

    @Test func `an end user makes so many links a day, about themselves`() async throws {
        try await withClient(perUser: 2) { client in
            for user in ["ada", "bob"] {
                for _ in 0..<2 {
                    let made = try await client.post(Self.path, Self.product, user: user)
                    #expect(made.status == 201, "\(made.text)")
                    #expect(!made.text.contains("about"), "\(made.text)")
                }
                let more = try await client.post(Self.path, Self.product, user: user)
                #expect(more.status == 429 && more.text.contains("too-many-requests"), "\(more.text)")
            }
        }
    }

    @Test func `a server that allows no links to its users answers as one that allows no more`() async throws {
        try await withClient(perUser: 0) { client in
            let answer = try await client.post(Self.path, Self.product)
            #expect(answer.status == 429 && answer.text.contains("shortLinks.perUser"), "\(answer.text)")
        }
    }

    @Test(arguments: [#""name":"a""#, #""label":"a""#, #""about":"ada""#, #""withdrawn":false"#])
    func `an end user names nothing but a destination, an end and a host`(_ member: String) async throws {
        try await withClient(perUser: 9) { client in
            let body = #"{"link":"https://shop.example/product/5",\#(member)}"#
            let answer = try await client.post(Self.path, body)
            #expect(answer.status == 403 && answer.text.contains("insufficient-scope"), "\(answer.text)")
        }
    }

    @Test func `an end user chooses no code, and makes no link that they may not open`() async throws {
        try await withClient(perUser: 9) { client in
            let chosen = try await client.post(Self.path + "/mine", Self.product)
            #expect(chosen.status == 403 && chosen.text.contains("insufficient-scope"), "\(chosen.text)")
            let gated = try await client.post(Self.path, #"{"link":"https://shop.example/account"}"#)
            #expect(gated.status == 403 && gated.text.contains("insufficient-authorization-level"), "\(gated.text)")
            let signed = try await client.post(Self.path, #"{"link":"https://shop.example/gift/ada"}"#)
            #expect(signed.status == 403 && signed.text.contains("signature-required"), "\(signed.text)")
        }
    }

    @Test func `an end user makes no link from a code that stands for a signature`() async throws {
        try await withClient(perUser: 9) { client in
            let signed = #"{"link":"https://shop.example/gift/ada"}"#
            let gift = try await client.post(Self.path + "/gift-for-ada-2026", signed, as: .admin)
            #expect(gift.status == 201, "\(gift.text)")
            let copy = #"{"link":"https://go.example/gift-for-ada-2026"}"#
            let refused = try await client.post(Self.path, copy)
            #expect(refused.status == 403 && refused.text.contains("signature-required"), "\(refused.text)")
            #expect(try await client.post("/v1/resolve", copy).status == 200)
        }
    }

    // MARK: Codes that a store has to be asked for

    private func token(_ token: TestToken) -> String { "Authorization: Bearer \(token.text)\r\n" }

    private func whileServing(
        _ store: DistantShortLinks,
        _ body: (RawConnection) async throws -> Void
    ) async throws {
        let service = try TestServer.service(.shortLinks, shortLinks: store)
        try await TestServer.application(service).whileServing { try await body(try RawConnection(port: $0)) }
    }

    private func request(_ line: String, host: String = "localhost", fields: String = "", body: String? = nil)
        -> [UInt8]
    {
        var text = "\(line) HTTP/1.1\r\nHost: \(host)\r\n\(fields)"
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return Array((text + "\r\n" + (body ?? "")).utf8)
    }

    @Test func `codes are waited for in every way of asking, and the connection goes on`() async throws {
        let store = DistantShortLinks()
        try await whileServing(store) { connection in
            let admin = token(.admin)
            let made = try await connection.exchange(
                request("POST \(Self.path)/spring", fields: admin, body: Self.product),
                isHead: false
            )
            #expect(made.status == 201, "\(made.text)")
            for _ in 0..<2 {
                for request in [
                    request("GET /v1/resolve?link=https%3A%2F%2Fgo.example%2Fspring", fields: admin),
                    request("POST /v1/resolve", fields: admin, body: #"{"link":"https://go.example/spring"}"#),
                    request("GET /spring", host: "go.example", fields: admin),
                ] {
                    let answer = try await connection.exchange(request, isHead: false)
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(
                        answer.text.contains(#""canonicalLink":"https://shop.example/product/5""#),
                        "\(answer.text)"
                    )
                    let unknown = try await connection.exchange(
                        self.request("POST /v1/resolve", fields: admin, body: #"{"link":"https://go.example/none"}"#),
                        isHead: false
                    )
                    #expect(unknown.status == 404 && unknown.text.contains("unknown-short-link"), "\(unknown.text)")
                }
            }
            #expect(store.questionCount >= 12)
            let page = try await connection.exchange(
                request("GET /spring", host: "go.example", fields: "Accept: text/html\r\nUser-Agent: Mozilla/5.0\r\n"),
                isHead: false
            )
            #expect(page.status == 200 && page.text.contains("https://go.example/spring"), "\(page.text)")
        }
    }

    @Test func `a request whose code must be waited for holds the next one, wherever its bytes are cut`() throws {
        let body = #"{"link":"https://go.example/spring"}"#
        let bytes = request("POST /v1/resolve", fields: token(.admin), body: body)
        for cut in bytes.indices {
            let store = DistantShortLinks(isSilent: true)
            let connection = try EmbeddedConnection(TestServer.service(.shortLinks, shortLinks: store))
            for part in [bytes[..<cut], bytes[cut...]] {
                #expect(try connection.send(part) == .init(), "cut at \(cut)")
            }
            #expect(store.questionCount == 1, "cut at \(cut)")
            #expect(try connection.send(request("GET /healthz")) == .init(), "cut at \(cut)")
        }
    }

    @Test func `a store that is lost is a problem, and no unknown code`() async throws {
        try await whileServing(DistantShortLinks(isLost: true)) { connection in
            for request in [
                request("GET /v1/resolve?link=https%3A%2F%2Fgo.example%2Fspring", fields: token(.admin)),
                request("GET /spring", host: "go.example", fields: "Accept: text/html\r\nUser-Agent: Mozilla/5.0\r\n"),
            ] {
                let answer = try await connection.exchange(request, isHead: false)
                #expect(answer.status == 503 && answer.text.contains("user-state-unavailable"), "\(answer.text)")
            }
        }
    }

    @Test func `a continuation of a code keeps its target while the store is away`() async throws {
        let store = DistantShortLinks()
        try await whileServing(store) { connection in
            func post(_ path: String, _ body: String) async throws -> RawResponse {
                try await connection.exchange(request("POST \(path)", fields: token(.admin), body: body), isHead: false)
            }
            let account = #"{"link":"https://shop.example/account"}"#
            #expect(try await post(Self.path + "/mine", account).status == 201)
            let refusal = try await post("/v1/resolve", #"{"link":"https://go.example/mine","user":"ada"}"#)
            let continuation = try #require(refusal.text.firstMatch(of: /"continuation":("[^"]+")/)).1
            #expect(try await post("/v1/users/ada", #"{"authorizationLevel":"signedInUser"}"#).status == 201)
            store.lose()
            let granted = try await post("/v1/continuations", #"{"token":\#(continuation),"user":"ada"}"#)
            #expect(granted.status == 200 && granted.text.contains("https://shop.example/account"), "\(granted.text)")
        }
    }

    @Test func `a label beyond the most is refused, alone and in a line`() async throws {
        try await whileServing(DistantShortLinks(refusing: .tooManyLabels)) { connection in
            let body = #"{"link":"https://shop.example/product/5","label":"one more"}"#
            let alone = try await connection.exchange(
                request("POST \(Self.path)", fields: token(.publisher), body: body),
                isHead: false
            )
            #expect(alone.status == 422 && alone.text.contains("too-many-labels"), "\(alone.text)")
            let line = body + "\n"
            let head =
                "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\n\(token(.publisher))"
                + "Content-Type: application/x-ndjson\r\nContent-Length: \(line.utf8.count)\r\n\r\n"
            let lines = try await connection.exchange(Array((head + line).utf8), isHead: false)
            #expect(lines.status == 200 && lines.text.contains("too-many-labels"), "\(lines.text)")
        }
    }

    @Test func `an answer that is kept is no longer given once its code means something else`() async throws {
        try await withClient(perUser: 0) { client in
            let resolve = #"{"link":"https://go.example/spring"}"#
            for number in 1...3 {
                let product = #"{"link":"https://shop.example/product/\#(number)"}"#
                let saved = try await client.post(Self.path + "/spring", product, as: .publisher)
                #expect(saved.status == (number == 1 ? 201 : 200), "\(saved.text)")
                for _ in 0..<4 {
                    let answer = try await client.post("/v1/resolve", resolve, as: .resolver)
                    #expect(answer.text.contains("https://shop.example/product/\(number)\""), "\(answer.text)")
                }
            }
        }
    }
}
