import DeepLinkCore
import Hummingbird
import HummingbirdTesting
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of `GET /metrics`: its counts, and its callers.
@Suite struct MetricsEndpointTests {
    private func metrics(_ circumstance: TestServer.Circumstance = .usual, after requests: [String]) async throws
        -> [String]
    {
        try await TestServer.application(try TestServer.service(circumstance))
            .whileServing { port in
                try await RawConnection.offPool {
                    let connection = try RawConnection(port: port)
                    for request in requests {
                        try connection.send(Array("\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                        _ = try connection.receive()
                    }
                    try connection.send(Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                    let text = String(decoding: try connection.receive().body, as: UTF8.self)
                    return text.split(separator: "\n").map(String.init)
                }
            }
    }

    @Test func `answers and resolutions are counted by what the catalog and the API know`() async throws {
        let lines = try await metrics(after: [
            "GET /v1/resolve?link=navigation:/onboarding", "GET /v1/resolve?link=navigation:/onboarding",
            "GET /v1/resolve?link=navigation:/settings", "GET /v1/resolve?link=navigation:/nowhere",
            "GET /hidden?hidden",
            "GET /v1/users/hidden", "PROPFIND /healthz",
        ])
        for line in [
            #"waymark_http_requests_total{endpoint="/v1/resolve",method="GET",status="200"} 2"#,
            #"waymark_http_requests_total{endpoint="/v1/resolve",method="GET",status="403"} 1"#,
            #"waymark_http_requests_total{endpoint="/v1/users/{id}",method="GET",status="404"} 1"#,
            #"waymark_http_requests_total{endpoint="web link",method="GET",status="404"} 1"#,
            #"waymark_http_request_duration_seconds_count{endpoint="/v1/resolve"} 4"#,
            #"waymark_resolutions_total{outcome="resolved",route="onboarding"} 2"#,
            #"waymark_resolutions_total{outcome="failed",problem="no-matching-route",route=""} 2"#,
            #"waymark_http_requests_total{endpoint="other method",method="other",status="405"} 1"#,
            #"waymark_gated_total{gate="onboardingCompleted"} 1"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(
            lines.contains { $0.hasPrefix("waymark_resolutions_total{outcome=\"gated\",route=") }
        )
        #expect(!lines.contains { $0.lowercased().contains("hidden") })
    }

    @Test func `unknown paths, methods and links add no series`() async throws {
        let once = try await metrics(after: ["GET /v1/nothing", "GET /a", "GET /v1/resolve?link=navigation:/a"])
        let often = try await metrics(
            after: (0..<200)
                .flatMap { ["GET /v1/nothing\($0)", "GET /a\($0)?b=\($0)", "GET /v1/resolve?link=navigation:/a\($0)"] }
        )
        let names: ([String]) -> [Substring] = { lines in
            lines.filter { $0.hasPrefix("waymark_") && !$0.contains("duration") }.map { $0.prefix { $0 != " " } }
        }
        #expect(!names(once).isEmpty)
        #expect(names(often) == names(once))
    }
}
