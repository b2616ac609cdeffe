import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of how many credentials that are not valid an address may send, and of who else suffers from it.
@Suite struct RefusedCredentialsTests {
    private static let rate = 20

    private func request(_ token: String?, _ target: String = "/v1/resolve?link=navigation%3A%2Fonboarding") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
    }

    private func statuses(_ requests: [String], _ service: TestService) async throws -> [Int] {
        try await TestServer.application(service)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                var statuses: [Int] = []
                for request in requests {
                    let response = try await connection.exchange(Array((request + "\r\n").utf8))
                    statuses.append(response.status)
                    if response.status == 429 { #expect(response.head.contains("Retry-After: 1")) }
                }
                return statuses
            }
    }

    private func service(endUsers: EndUserVerifier? = nil) throws -> TestService {
        try TestServer.service(
            .tokens,
            endUsers: endUsers,
            callerLimits: CallerLimits(rate: nil, addressRate: Self.rate)
        )
    }

    /// Tokens of the shared issuer whose signatures are not its.
    private func forged(_ count: Int) async throws -> [String] {
        let token = try await TestIssuer.shared.value.curve.token(TestIssuer.claims([:]))
        let end = try #require(token.utf8.lastIndex(of: UInt8(ascii: ".")))
        return (0..<count)
            .map { number in
                let signature = String(repeating: "A", count: 80) + String(100_000 + number)
                return String(token[...end]) + signature
            }
    }

    @Test(arguments: [true, false]) func `three hundred bad tokens of one address reach the limit`(
        _ areOfEndUsers: Bool
    ) async throws {
        let service = try service(endUsers: try await TestIssuer.verifier())
        let bad =
            areOfEndUsers
            ? try await forged(300) : (0..<300).map { _ in ServiceTokenText().text }
        let found = try await statuses(bad.map { request($0) }, service)
        #expect(found == Array(repeating: 401, count: Self.rate) + Array(repeating: 429, count: 300 - Self.rate))
    }

    @Test func `what is not verified at once is counted, too`() async throws {
        let tokens = try await forged(Self.rate + 5)
        let found = try await statuses(
            tokens.map { request($0, "/v1/users/ada") },
            service(endUsers: try await TestIssuer.verifier())
        )
        #expect(found == Array(repeating: 401, count: Self.rate) + Array(repeating: 429, count: 5))
    }

    @Test func `service tokens, remembered ones and other addresses do not suffer`() async throws {
        let good = try await TestIssuer.shared.value.curve.token(TestIssuer.claims([:]))
        let new = try await TestIssuer.shared.value.curve.token(TestIssuer.claims(["sub": "\"bob\""]))
        let bad = try await forged(Self.rate + 2)
        let elsewhere = "X-Forwarded-For: 203.0.113.7\r\n"
        let requests =
            [request(good)] + bad.map { request($0) }
            + [
                request(good), request(TestToken.resolver.text), request(new), request(nil),
                request(new) + elsewhere, request(bad[0]) + elsewhere,
            ]
        let found = try await statuses(requests, service(endUsers: try await TestIssuer.verifier()))
        #expect(found.first == 200)
        #expect(found.dropFirst().prefix(bad.count).allSatisfy { [401, 429].contains($0) })
        // One that has not been verified yet would cost as much as a bad one.
        #expect(found.suffix(6) == [200, 200, 429, 401, 200, 401])
    }

    @Test func `pages have a limit of their own, of each address`() async throws {
        let service = try TestServer.service(
            .linkDomain,
            callerLimits: CallerLimits(rate: nil, addressRate: 1, pageRate: 3)
        )
        let page = "GET /p/5 HTTP/1.1\r\nHost: links.example.com\r\nAccept: text/html\r\n"
        let elsewhere = "X-Forwarded-For: 203.0.113.7\r\n"
        let found = try await statuses(
            Array(repeating: page, count: 5) + [page + elsewhere, request("wm_bad"), request("wm_bad")],
            service
        )
        #expect(found == [200, 200, 200, 429, 429, 200, 401, 429])
    }
}
