import DeepLinkHTTP
import Foundation
import Hummingbird
import Logging
import Testing

/// Checks how the application listens.
@Suite struct WaymarkApplicationTests {
    @Test func `as many connections may wait to be accepted as the system lets`() throws {
        let application = WaymarkApplication.build(
            try TestServer.environment(),
            host: "127.0.0.1",
            port: 0,
            maximumConnections: 1,
            logger: Logger(label: "test")
        )
        let text = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        let limit = try #require(Int(text.filter(\.isNumber)))
        // A larger number is capped at the system's own (listen(2)).
        #expect(application.configuration.backlog >= limit)
    }
}
