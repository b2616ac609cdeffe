import Foundation
import Testing

@testable import DeepLinkHTTP

/// How the server listens.
@Suite struct WaymarkServerTests {
    @Test func `as many connections may wait to be accepted as the system lets`() throws {
        let text = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        let limit = try #require(Int32(text.filter(\.isNumber)))
        // A larger number is capped at the system's own (listen(2)).
        #expect(WaymarkServer.backlog >= limit)
    }
}
