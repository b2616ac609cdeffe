import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

@Suite
struct CatalogDiffTests {
    /// Where a comparison waits until the test lets it go on.
    private final class Gate: Sendable {
        let isReading = Atomic(false)
        let mayEnd = Atomic(false)
    }

    private let headers: HTTPFields = [.contentType: "application/yaml"]

    @Test
    func `one comparison is made at a time`() async throws {
        let gate = Gate()
        let catalog = try SampleApp.catalog()
        let environment = try TestServer.environment(
            readsCatalog: { _ throws(CatalogError) in
                gate.isReading.store(true, ordering: .releasing)
                while !gate.mayEnd.load(ordering: .acquiring) {}
                return catalog
            }
        )
        try await TestServer.application(environment)
            .test(.router) { [headers] client in
                async let first = client.execute(
                    uri: "/v1/catalog/diff",
                    method: .post,
                    headers: headers,
                    body: ByteBuffer(string: "first")
                )
                while !gate.isReading.load(ordering: .acquiring) { await Task.yield() }
                let second = try await client.execute(
                    uri: "/v1/catalog/diff",
                    method: .post,
                    headers: headers,
                    body: ByteBuffer(string: "second")
                )
                #expect(second.status == .serviceUnavailable)
                #expect(second.headers[.retryAfter] == "1")
                gate.mayEnd.store(true, ordering: .releasing)
                #expect(try await first.status == .ok)
                let third = try await client.execute(
                    uri: "/v1/catalog/diff",
                    method: .post,
                    headers: headers,
                    body: ByteBuffer(string: "third")
                )
                #expect(third.status == .ok)
            }
    }

    @Test
    func `a body over the limit is no candidate`() async throws {
        try await TestServer.application()
            .test(.router) { [headers] client in
                let response = try await client.execute(
                    uri: "/v1/catalog/diff",
                    method: .post,
                    headers: headers,
                    body: ByteBuffer(repeating: 0x20, count: 1024 * 1024 + 1)
                )
                #expect(response.status == .contentTooLarge)
            }
    }
}
