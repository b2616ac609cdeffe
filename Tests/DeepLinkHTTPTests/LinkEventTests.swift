import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests of the events that every observer of links gets.
@Suite struct LinkEventTests {
    private final class Recorder: LinkEventObserver {
        let events = Mutex<[LinkEvent]>([])
        func observe(_ event: LinkEvent) { events.withLock { $0.append(event) } }
        var texts: [String] { events.withLock { $0.map(LinkEventTests.text) } }
    }

    private static func text(_ event: LinkEvent) -> String {
        let outcome =
            switch event.outcome {
            case .resolved(let link): "resolved \(link.plan.topRoute ?? "")"
            case .gated(let link): "gated \(link.denial.route)"
            case .failed(let code, _): "failed \(code.rawValue)"
            }
        return outcome + (event.page.map { " as \($0.rawValue)" } ?? "") + (event.isCounted ? "" : ", uncounted")
    }

    private static func request(_ target: String, _ fields: String = "Host: localhost\r\n") -> [UInt8] {
        Array("GET \(target) HTTP/1.1\r\n\(fields)\r\n".utf8)
    }

    @Test func `each use of a link is one event, new or cached`() throws {
        let recorder = Recorder()
        let connection = try EmbeddedConnection(TestServer.service(linkObservers: [recorder]))
        let links = ["onboarding", "settings/profile", "nowhere"]
        for _ in 0..<3 {
            for link in links { _ = try connection.sendAll(Self.request("/v1/resolve?link=navigation:/\(link)")) }
        }
        let texts = ["resolved onboarding", "gated characters", "failed no-matching-route"]
        #expect(recorder.texts == texts + texts + texts)
    }

    @Test func `a test of a link is an event that reports omit`() throws {
        let recorder = Recorder()
        let connection = try EmbeddedConnection(TestServer.service(linkObservers: [recorder]))
        for more in ["&level=none", "&explain=true"] {
            _ = try connection.sendAll(Self.request("/v1/resolve?link=navigation:/onboarding\(more)"))
        }
        #expect(recorder.texts == Array(repeating: "resolved onboarding, uncounted", count: 2))
    }

    @Test func `a page is an event, new or cached`() throws {
        let recorder = Recorder()
        let connection = try EmbeddedConnection(TestServer.service(.openLinkDomain, linkObservers: [recorder]))
        let fields = "Host: links.example.com\r\nAccept: text/html\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
        for path in ["/p/7", "/p/7", "/p/7", "/nowhere"] { _ = try connection.sendAll(Self.request(path, fields)) }
        let texts = Array(repeating: "resolved product as page", count: 3)
        #expect(recorder.texts == texts + ["failed no-matching-route as unknown"])
    }
}
