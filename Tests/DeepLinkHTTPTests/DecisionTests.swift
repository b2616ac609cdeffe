import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkFormats
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// Tests of the one rule that says what a resolution comes to.
@Suite(.serialized) struct DecisionTests {
    /// Keys that accept every signature, or none, and count what they are asked.
    private final class CountingKeys: SignatureVerifier {
        private let accepts: Bool
        private let counts = Mutex((verified: 0, timed: 0))

        init(accepts: Bool) { self.accepts = accepts }

        func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal) {
            counts.withLock { $0.verified += 1 }
            guard accepts else { throw .invalid(.wrong, demand) }
        }

        /// The present moment, and that it was read.
        func time() -> Timestamp {
            counts.withLock { $0.timed += 1 }
            return TestServer.now
        }

        /// The numbers of verified signatures and of readings of the time.
        var found: [Int] { counts.withLock { [$0.verified, $0.timed] } }
    }

    // MARK: Outcomes

    @Test(arguments: [false, true], [false, true])
    func `the signature counts before the level, and is verified once`(_ accepts: Bool, _ explains: Bool) throws {
        let catalog = try TestServer.Circumstance.signed.catalog()
        let cases: [(link: String, level: AuthorizationLevel, code: String, isSigned: Bool)] = [
            ("https://shop.example/help", .none, "plan", false),
            ("https://shop.example/nowhere", .none, "no-matching-route", false),
            ("https://other.example/offer/x", .none, "unknown-origin", false),
            ("https://shop.example/offer/x", .none, "insufficient-authorization-level", true),
            ("https://shop.example/offer/x?sig=k2.x", .signedInUser, "plan", true),
            ("https://shop.example/go?to=https%3A%2F%2Fshop.example%2Foffer%2Fx", .highest, "plan", true),
            ("https://shop.example/offer/x?page=x", .highest, "invalid-parameter", false),
        ]
        for one in cases {
            let keys = CountingKeys(accepts: accepts)
            let request = ResolutionRequest(link: try DeepLink(one.link))
            let decision = decide(
                request,
                permissions: Permissions(level: one.level),
                catalog: catalog,
                keys: keys,
                at: keys.time(),
                explains: explains
            )
            let code: String
            do throws(Problem) {
                _ = try decision.plan()
                code = "plan"
            } catch {
                code = error.code.rawValue
            }
            #expect(code == (one.isSigned && !accepts ? "invalid-signature" : one.code), "\(one.link)")
            #expect(keys.found == (one.isSigned ? [1, 1] : [0, 0]), "\(one.link)")
            let signed = decision.explanation?.filter { $0.parameter == "sig" }.map(\.outcome)
            #expect(signed == (explains ? one.isSigned ? [accepts ? .verified : .denied] : [] : nil), "\(one.link)")
            let answer = explain(
                request,
                permissions: Permissions(level: one.level),
                catalog: catalog
            )
            #expect(
                answer.resolution
                    == resolve(
                        request,
                        permissions: Permissions(level: one.level),
                        catalog: catalog
                    ),
                "\(one.link)"
            )
            if let steps = decision.explanation { #expect(steps.starts(with: answer.steps), "\(one.link)") }
        }
    }

    @Test func `an app that is too old is told of the signature first`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: [shop.example] }]
            apps: { ios: [{ appID: ABCDE12345.com.example.shop }] }
            entry: { home: root }
            routes: { home: { path: "", opens: { offer: push } }, offer: { signed: true, since: { ios: "3.0" } } }
            """
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "since.yaml")
        let app = try #require(AppVersion("ios/2.0"))
        let request = ResolutionRequest(link: try DeepLink("https://shop.example/offer"), app: app)
        for (accepts, code) in [(true, "app-update-required"), (false, "invalid-signature")] {
            let keys = CountingKeys(accepts: accepts)
            let decision = decide(request, permissions: .all, catalog: catalog, keys: keys, at: keys.time())
            let problem = #expect(throws: Problem.self) { try decision.plan() }
            #expect(problem?.code.rawValue == code)
            #expect(keys.found == [1, 1])
        }
    }

    // MARK: Work

    /// The processor time that a call takes, in nanoseconds: others on a busy machine do not count.
    private func cost(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }

    /// The cost of one call by that of another, each the cheapest of several rounds in turn.
    private func ratio(of one: () -> Void, to other: () -> Void) -> Double {
        var (first, second) = (Double.infinity, Double.infinity)
        for _ in 0..<15 {
            first = min(first, cost(one))
            second = min(second, cost(other))
        }
        return first / second
    }

    /// A link to a signed route with values enough that nothing but resolving it takes long.
    ///
    /// One resolution more, of the link or of its stack, would add half to what deciding costs at least; deciding and explaining
    /// took two and four times as much as they do while a demand was looked for by resolving again.
    @Test func `a link that needs a signature is resolved once, explained or not`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: [shop.example] }]
            entry: { home: root }
            routes:
              home: { path: "", opens: { offer: push } }
              offer: { signed: true, parameters: { size: [int] } }
            """
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "signed.yaml")
        let sizes = (0..<120).map { "size=\($0 + 1_000_000_000_000_000)" }.joined(separator: "&")
        let request = ResolutionRequest(link: try DeepLink("https://shop.example/offer?\(sizes)&sig=k.x"))
        let keys = CountingKeys(accepts: true)
        func resolved() { _ = resolve(request, permissions: .all, catalog: catalog) }
        func narrated() {
            resolved()
            let path = RoutedPath(link: request.link, start: request.link.spans.path.start)
            _ = MatchNarrator.narrate(path, from: catalog.graph.entryNode, in: catalog)
        }
        func decided(explains: Bool) -> () -> Void {
            {
                _ = decide(
                    request,
                    permissions: .all,
                    catalog: catalog,
                    keys: keys,
                    at: TestServer.now,
                    explains: explains
                )
            }
        }
        decided(explains: true)()
        #expect(keys.found[0] == 1)
        let (plain, explained) = (
            ratio(of: decided(explains: false), to: resolved), ratio(of: decided(explains: true), to: narrated)
        )
        print("decide: \(plain) × resolving; explained: \(explained) × resolving and telling")
        #expect(plain < 1.4)
        #expect(explained < 1.4)
    }
}
