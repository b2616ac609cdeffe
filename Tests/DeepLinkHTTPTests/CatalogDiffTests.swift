import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

@Suite
struct CatalogDiffTests {
    /// A gate that holds a comparison until the test opens it.
    private final class Gate: Sendable {
        let isReading = Atomic(false)
        let mayEnd = Atomic(false)
    }

    private let headers: HTTPFields = [.contentType: "application/yaml"]

    @Test
    func `one comparison is made at a time`() async throws {
        let gate = Gate()
        let catalog = try SampleApp.catalog()
        let service = try TestServer.service(
            comparisons: ComparisonQueue(
                readsCatalog: { _, _ throws(CatalogError) in
                    gate.isReading.store(true, ordering: .releasing)
                    while !gate.mayEnd.load(ordering: .acquiring) { sched_yield() }
                    return catalog
                },
                // The first is held up until the second has its answer, however long that takes.
                deadline: .seconds(3600)
            )
        )
        try await TestServer.application(service)
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
    func `who waits too long is told so, and the queue is free once the thread is`() async throws {
        let gate = Gate()
        let catalog = try SampleApp.catalog()
        let service = try TestServer.service(
            comparisons: ComparisonQueue(
                readsCatalog: { _, _ throws(CatalogError) in
                    // The first takes until it is let go, which is after its caller has gone.
                    while !gate.mayEnd.load(ordering: .acquiring) { sched_yield() }
                    return catalog
                },
                deadline: .milliseconds(20)
            )
        )
        #expect(ComparisonQueue.usualDeadline == .seconds(10))
        try await TestServer.application(service)
            .test(.router) { [headers] client in
                func compare() async throws -> TestResponse {
                    try await client.execute(
                        uri: "/v1/catalog/diff",
                        method: .post,
                        headers: headers,
                        body: ByteBuffer(string: "candidate")
                    )
                }
                let late = try await compare()
                #expect(late.status == .serviceUnavailable)
                #expect(late.headers[.retryAfter] == "60")
                #expect(String(buffer: late.body).contains("takes too long"))
                // Nobody waits for it any more, and the thread is busy all the same.
                let other = try await compare()
                #expect(other.status == .serviceUnavailable)
                #expect(other.headers[.retryAfter] == "1")
                gate.mayEnd.store(true, ordering: .releasing)
                var next = try await compare()
                while next.headers[.retryAfter] == "1" { next = try await compare() }
                // In time, or late on a machine that is busy; never refused because of the first.
                #expect(next.status == .ok || next.headers[.retryAfter] == "60")
            }
    }

    @Test
    func `a comparison stops at the deadline by itself`() async throws {
        let service = try TestServer.service(
            comparisons: ComparisonQueue(readsCatalog: TestServer.readCatalog, deadline: .zero)
        )
        try await TestServer.application(service)
            .test(.router) { [headers] client in
                let candidate = "version: 1\norigins: [{ scheme: a }]\nentry: { b: root }\nroutes: { b: {} }\n"
                // Each finds the queue free in the end: a comparison that nobody waits for does not go on.
                for _ in 0..<3 {
                    var headersOfAnswer = HTTPFields([HTTPField(name: .retryAfter, value: "1")])
                    while headersOfAnswer[.retryAfter] == "1" {
                        let response = try await client.execute(
                            uri: "/v1/catalog/diff",
                            method: .post,
                            headers: headers,
                            body: ByteBuffer(string: candidate)
                        )
                        #expect(response.status == .serviceUnavailable)
                        headersOfAnswer = response.headers
                    }
                    #expect(headersOfAnswer[.retryAfter] == "60")
                }
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
