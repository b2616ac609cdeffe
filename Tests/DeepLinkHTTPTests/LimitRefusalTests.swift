import DeepLinkAuthentication
import DeepLinkCore
import Testing
import WaymarkCommands
import WaymarkServer

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the counts of requests that limits refuse.
@Suite struct LimitRefusalTests {
    private let registry = MetricsRegistry()

    /// The counts by limit, as Prometheus reads them.
    private var counts: [String: String] {
        let start = #"waymark_http_requests_refused_total{limit=""#
        let lines = String(decoding: registry.text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(start) }
        let pairs = lines.map { $0.dropFirst(start.count).split(separator: #""} "#).map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    /// Counts of zero but for one limit.
    private func zero(but limit: LimitRefusals.Limit? = nil, _ count: Int = 0) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: LimitRefusals.Limit.allCases.map { ($0.rawValue, $0 == limit ? "\(count)" : "0") }
        )
    }

    @Test func `a limit that was never reached is zero, and not absent`() {
        _ = LimitRefusals(countingIn: registry)
        #expect(counts == zero())
    }

    @Test func `a request beyond those worked on at a time is counted`() throws {
        let load = ServerLoad(maximumWork: 1, refusals: LimitRefusals(countingIn: registry))
        try load.workBegan()
        #expect(load.workCount == 1 && counts == zero())
        #expect(throws: (any Error).self) { try load.workBegan() }
        #expect(load.workCount == 1 && counts == zero(but: .requests, 1))
        load.workEnded()
        try load.workBegan()
        #expect(counts == zero(but: .requests, 1))
    }

    @Test func `bytes of arriving requests beyond the limit are counted once a request`() {
        let load = ServerLoad(maximumWork: 1, maximumArrivingBytes: 10, refusals: LimitRefusals(countingIn: registry))
        #expect(load.arriving.take(8) && !load.arriving.take(3))
        #expect(load.arriving.takenCount == 8 && counts == zero(but: .bytes, 1))
    }

    @Test func `callers, their invalid credentials and pages are counted apart`() throws {
        let limits = CallerLimits(
            rate: nil,
            addressRate: 1,
            pageRate: 1,
            refusals: LimitRefusals(countingIn: registry)
        )
        let now = TestServer.now
        try limits.admit(.anonymous, from: { nil }, at: now)
        try limits.checkRefusals(from: { nil }, at: now)
        try limits.countRefusal(from: { nil }, at: now)
        #expect(limits.admitsPage(from: { nil }, at: now) && counts == zero())
        #expect(throws: (any Error).self) { try limits.admit(.anonymous, from: { nil }, at: now) }
        #expect(counts == zero(but: .caller, 1))
        for _ in 1...2 {
            #expect(throws: (any Error).self) { try limits.checkRefusals(from: { nil }, at: now) }
        }
        #expect(!limits.admitsPage(from: { nil }, at: now))
        #expect(counts == ["bytes": "0", "caller": "1", "credentials": "2", "pages": "1", "requests": "0"])
    }
}
