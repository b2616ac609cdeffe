import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Foundation
import NIOCore
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the limits of callers.
@Suite struct CallerLimitsTests {
    private func at(_ milliseconds: Int64) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: TestServer.now.millisecondsSinceEpoch + milliseconds)
    }

    private func user(_ name: String) throws -> Caller { .endUser(EndUser(id: try #require(UserID(name)))) }

    /// Returns how many of so many requests are let in.
    private func admitted(_ limits: CallerLimits, _ caller: Caller, of count: Int, at time: Timestamp) -> Int {
        (0..<count).count { _ in (try? limits.admit(caller, from: { nil }, at: time)) != nil }
    }

    @Test(arguments: [1, 2, 7, 100, 100_000]) func `a caller may send so many a second`(_ rate: Int) throws {
        let limits = CallerLimits(rate: rate, addressRate: 1)
        let ada = try user("ada")
        #expect(admitted(limits, ada, of: rate + 3, at: at(0)) == rate)
        #expect(admitted(limits, ada, of: rate + 3, at: at(500)) == rate / 2)
        #expect(admitted(limits, ada, of: rate + 3, at: at(2000)) == rate)
        let bob = try user("bob")
        #expect(admitted(limits, bob, of: rate + 3, at: at(2000)) == rate)
    }

    @Test func `a clock that is set back keeps nobody out`() throws {
        let limits = CallerLimits(rate: 5, addressRate: 1)
        #expect(admitted(limits, try user("ada"), of: 9, at: at(0)) == 5)
        #expect(admitted(limits, try user("ada"), of: 9, at: at(-3_600_000)) == 5)
    }

    @Test func `callers who do not exist take a bounded memory`() throws {
        let limits = CallerLimits(rate: 5, addressRate: 1, capacity: 100)
        for number in 0..<1000 {
            #expect(admitted(limits, try user("\(number)"), of: 1, at: at(0)) == 1)
            #expect(limits.count <= 100)
        }
    }

    @Test func `no rate for callers who are known lets them send any number`() throws {
        let limits = CallerLimits(rate: nil, addressRate: 3)
        #expect(admitted(limits, try user("ada"), of: 1000, at: at(0)) == 1000)
        #expect(admitted(limits, .anonymous, of: 1000, at: at(0)) == 3)
    }

    // MARK: Addresses

    @Test(arguments: [
        ("203.0.113.7", "", "203.0.113.7"), ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"), ("127.0.0.1", "9.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "9.9.9.9,198.51.100.1", "198.51.100.1"), ("172.16.0.1", "9.9.9.9", "9.9.9.9"),
        ("172.32.0.1", "9.9.9.9", "172.32.0.1"), ("192.168.1.1", "nonsense", "192.168.1.1"),
        ("::1", "2001:db8:1:2:3::4", "2001:db8:1:2::"), ("fd00::1", "9.9.9.9", "9.9.9.9"),
        ("2001:db8::1", "9.9.9.9", "2001:db8::ffff"), ("::ffff:203.0.113.7", "", "203.0.113.7"),
        ("::ffff:127.0.0.1", "9.9.9.9", "9.9.9.9"),
        // As some proxies write it: with a port, in brackets, in quotes.
        ("10.1.2.3", "203.0.113.9:51234", "203.0.113.9"), ("10.1.2.3", "9.9.9.9, 203.0.113.9:1", "203.0.113.9"),
        ("10.1.2.3", "[2001:db8::1]:443", "2001:db8::1"), ("10.1.2.3", "[2001:db8::1]", "2001:db8::1"),
        ("10.1.2.3", "\"[2001:db8::1]:443\"", "2001:db8::1"), ("10.1.2.3", "\"203.0.113.9\"", "203.0.113.9"),
        ("10.1.2.3", "1.1.1.1 ,\t203.0.113.9:51234 ", "203.0.113.9"), ("10.1.2.3", "[203.0.113.9]:8", "203.0.113.9"),
        ("10.1.2.3", "[::ffff:203.0.113.9]:8", "203.0.113.9"),
        // An invalid address counts as the proxy's.
        ("10.1.2.3", "203.0.113.9:", "10.1.2.3"), ("10.1.2.3", "203.0.113.9:123456", "10.1.2.3"),
        ("10.1.2.3", "203.0.113.9:8a", "10.1.2.3"), ("10.1.2.3", "[2001:db8::1", "10.1.2.3"),
        ("10.1.2.3", "[2001:db8::1]x", "10.1.2.3"), ("10.1.2.3", "\"", "10.1.2.3"), ("10.1.2.3", "\"\"", "10.1.2.3"),
        ("10.1.2.3", "[]:1", "10.1.2.3"), ("10.1.2.3", ":1", "10.1.2.3"), ("10.1.2.3", "unknown", "10.1.2.3"),
        ("10.1.2.3", "_hidden:1", "10.1.2.3"), ("10.1.2.3", "203.0.113.9,", "10.1.2.3"),
        ("10.1.2.3", " , ", "10.1.2.3"),
    ])
    func `a proxy nearby names its caller, and nobody else does`(_ peer: String, _ field: String, _ want: String) throws
    {
        let fields = field.isEmpty ? nil : field
        let found = CallerAddress.ofCaller(try SocketAddress(ipAddress: peer, port: 1), forwardedFor: fields)
        #expect(found != nil)
        #expect(found == CallerAddress(try SocketAddress(ipAddress: want, port: 2)))
        #expect(found != CallerAddress(try SocketAddress(ipAddress: "203.0.113.8", port: 1)))
    }

    @Test func `an address of any length is none`() throws {
        let peer = try SocketAddress(ipAddress: "10.1.2.3", port: 1)
        let long = String(repeating: "1", count: 16_000) + ":1"
        #expect(CallerAddress.ofCaller(peer, forwardedFor: long) == CallerAddress(peer))
    }

    // MARK: Requests

    private static let get = "GET /v1/resolve?link=navigation%3A%2Fonboarding HTTP/1.1\r\nHost: localhost\r\n"

    private func statuses(_ requests: [String], _ server: TestApplication) async throws -> [Int] {
        try await server.whileServing { port in
            var statuses: [Int] = []
            for request in requests {
                let response = try await RawConnection(port: port).exchange(Array((request + "\r\n").utf8))
                statuses.append(response.status)
                if response.status == 429 {
                    #expect(response.head.contains("Retry-After: 1"))
                    #expect(response.text.contains("urn:waymark:problem:too-many-requests"))
                }
            }
            return statuses
        }
    }

    @Test func `what is answered at once and what waits is counted together, for each token by itself`() async throws {
        let (admin, resolver) = (TestToken.admin, TestToken.resolver)
        func request(_ line: String, _ token: TestToken) -> String {
            "\(line) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token.text)\r\n"
        }
        let statuses = try await statuses(
            [
                request("GET /onboarding", admin), request("DELETE /v1/users/ada", admin),
                request("GET /v1/catalog", admin), request("DELETE /v1/users/ada", admin),
                request("GET /v1/nothing", admin), request("GET /healthz", admin), request("GET /v1/nothing", resolver),
            ],
            TestServer.application(.limited)
        )
        #expect(statuses == [200, 404, 429, 429, 429, 200, 404])
    }

    @Test func `nobody is counted by address, and by that of a proxy's client`() async throws {
        let service = try TestServer.service(.anonymous, callerLimits: CallerLimits(rate: nil, addressRate: 2))
        let one = "X-Forwarded-For: 9.9.9.9, 203.0.113.7\r\n"
        let other = "X-Forwarded-For: 9.9.9.9, 203.0.113.8\r\n"
        let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"
        let statuses = try await statuses(
            [
                Self.get, Self.get, Self.get, Self.get + one, Self.get + one, Self.get + one, Self.get + other,
                Self.get + admin, Self.get + admin, Self.get + admin,
            ],
            TestServer.application(service)
        )
        #expect(statuses == [200, 200, 429, 200, 200, 429, 200, 200, 200, 200])
    }

    @Test func `a request that waits behind another is counted too`() async throws {
        let service = try TestServer.service(.anonymous, callerLimits: CallerLimits(rate: nil, addressRate: 2))
        let answers = try await TestServer.application(service)
            .whileServing { port in
                // The second waits for the first, whose body it takes to read: so a task answers it.
                let slow =
                    "POST /v1/resolve/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                    + "Authorization: Bearer \(TestToken.admin.text)\r\nContent-Length: 0\r\n\r\n"
                let requests =
                    slow + String(repeating: Self.get + "\r\n", count: 2) + Self.get + "Connection: close\r\n\r\n"
                return try await RawConnection(port: port).exchangeUntilClose(Array(requests.utf8))
            }
        #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 4)
        #expect(answers.components(separatedBy: "HTTP/1.1 429 ").count == 2)
    }
}
