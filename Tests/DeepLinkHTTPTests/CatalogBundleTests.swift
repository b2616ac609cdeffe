import DeepLinkAuthentication
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Checks the signed catalog of apps; `catalog.http` shows the answer if there is none.
@Suite struct CatalogBundleTests {
    private static let signature = #"{"keyId":"0123456789ab","ed25519":"x"}"#

    @Test func `end users get the bytes, the signature and a tag`() async throws {
        let application = try await TestServer.application(.tokens, endUsers: TestIssuer.verifier())
        application.service.bundle.replace(
            with: LiveBundle.Document(body: Array("{}".utf8), signature: Self.signature)
        )
        let token = try await TestIssuer.shared.value.curve.token()
        try await application.test(.router) { client in
            let path = "/v1/catalog/bundle"
            let response = try await client.execute(
                uri: path,
                method: .get,
                headers: [.authorization: "Bearer \(token)"]
            )
            #expect(response.status == .ok)
            #expect(String(buffer: response.body) == "{}")
            let name = try #require(HTTPField.Name("Waymark-Signature"))
            #expect(response.headers[name] == Self.signature)
            #expect(response.headers[.cacheControl] == "no-cache")
            let tag = try #require(response.headers[.eTag])
            let known = try await client.execute(
                uri: path,
                method: .get,
                headers: [.authorization: "Bearer \(token)", .ifNoneMatch: tag]
            )
            #expect(known.status == .notModified)
            #expect(known.headers[name] == nil)
            #expect(known.body.readableBytes == 0)
            #expect(try await client.execute(uri: path, method: .get).status == .unauthorized)
        }
    }
}
