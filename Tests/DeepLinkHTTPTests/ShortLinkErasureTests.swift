import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of what the erasure of a person leaves of the short links about them.
@Suite struct ShortLinkErasureTests {
    @Test func `a person of whom there are links alone is erased once, and their codes stay taken`() async throws {
        let service = try TestServer.service(.shortLinks)
        try await TestServer.application(service)
            .test(.router) { client in
                func send(
                    _ method: HTTPRequest.Method,
                    _ path: String,
                    _ body: String = "",
                    key: String? = nil
                ) async throws -> (status: Int, text: String) {
                    var headers: HTTPFields = [.authorization: "Bearer \(TestToken.admin.text)"]
                    if !body.isEmpty { headers[.contentType] = "application/json" }
                    if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = "\"\(key)\"" }
                    let response = try await client.execute(
                        uri: path,
                        method: method,
                        headers: headers,
                        body: ByteBuffer(string: body)
                    )
                    return (response.status.code, String(buffer: response.body))
                }
                let about = #"{"link":"https://shop.example/product/5","name":"mail to ada","about":"ada"}"#
                let made = try await send(.post, "/v1/short-links/ForAda", about, key: "k")
                #expect(made.status == 201 && made.text.contains(#""about":"ada""#), "\(made.text)")
                let other = #"{"link":"https://shop.example/product/5","about":"ben"}"#
                #expect(try await send(.post, "/v1/short-links/for-ben", other).status == 201)
                #expect(try await send(.get, "/v1/users/ada").status == 404)

                #expect(try await send(.delete, "/v1/users/ada?history=erase").status == 204)
                #expect(try await send(.delete, "/v1/users/ada?history=erase").status == 404)
                for path in ["/v1/short-links/ForAda", "/v1/short-links/forada", "/v1/short-links/ForAda/history"] {
                    #expect(try await send(.get, path).status == 404, "\(path)")
                }
                // No answer is kept either: the same request is another one, for a code that is taken.
                let again = try await send(.post, "/v1/short-links/ForAda", about, key: "k")
                #expect(again.status == 409 && again.text.contains("code-taken"), "\(again.text)")
                let restored = #"{"link":"https://shop.example/product/5","withdrawn":false}"#
                #expect(try await send(.post, "/v1/short-links/FORADA", restored).status == 409)
                let listed = try await send(.get, "/v1/short-links")
                #expect(listed.text.contains("for-ben") && !listed.text.contains("ada"), "\(listed.text)")
                // Another person's links stay, and the name is free.
                #expect(try await send(.get, "/v1/short-links/for-ben").status == 200)
                let free = #"{"link":"https://shop.example/product/6","name":"mail to ada"}"#
                #expect(try await send(.post, "/v1/short-links", free).status == 201)
            }
    }
}
