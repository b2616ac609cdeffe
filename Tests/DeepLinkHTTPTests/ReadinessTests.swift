import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of what `/readyz` says of a server of which only a part works.
@Suite struct ReadinessTests {
    /// A store in memory that refuses changes, or answers levels that may be old.
    private struct ImpairedStore: UserStateStore {
        let store = InMemoryUserStateStore()
        var refusesWrites = false
        var tellsStaleAccess = false

        func state(of id: UserID) throws -> UserState? { try store.state(of: id) }
        func access(of id: UserID, atLeast version: Int) throws -> DeepLinkStorage.Answer<AccessLookupResult> {
            try store.access(of: id, atLeast: version)
        }
        func states(after id: UserID?, limit: Int) throws -> [UserState] { try store.states(after: id, limit: limit) }
        func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange] {
            try store.history(of: id, after: version, limit: limit)
        }
        func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
            try await store.make(change)
        }
        func answer(to request: KeyedRequest) throws -> StoredResponse? { try store.answer(to: request) }
        func checkUsable() throws {}
    }

    private func answer(_ service: TestService) async throws -> (status: Int, text: String) {
        try await TestServer.application(service)
            .whileServing { port in
                let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let response = try await RawConnection(port: port).exchange(Array(request.utf8))
                return (response.status, response.text)
            }
    }

    @Test func `a server of which all works says nothing more`() async throws {
        let (status, text) = try await answer(
            TestServer.service(store: ImpairedStore(), endUsers: try await TestIssuer.verifier())
        )
        #expect(status == 200 && !text.contains("degraded"))
    }

    @Test(arguments: [
        (true, false, #"["writes"]"#), (false, true, #"["levels"]"#), (true, true, #"["writes","levels"]"#),
    ])
    func `a store that takes no changes, or answers old levels, is said`(
        _ refusesWrites: Bool,
        _ tellsStaleAccess: Bool,
        _ want: String
    ) async throws {
        let store = ImpairedStore(refusesWrites: refusesWrites, tellsStaleAccess: tellsStaleAccess)
        let service = try TestServer.service(store: store)
        let (status, text) = try await answer(service)
        let version = service.catalog.current.version
        #expect(status == 200 && text.hasSuffix(#""catalogVersion":"\#(version)","degraded":\#(want)}"#), "\(text)")
    }

    @Test func `keys that are not there, and a catalog that was refused, are said in their order`() async throws {
        let service = try TestServer.service(
            store: ImpairedStore(refusesWrites: true, tellsStaleAccess: true),
            endUsers: TestIssuer.verifier(ofFile: "none")
        )
        service.catalog.refuse("the catalog has 2 issues")
        let (status, text) = try await answer(service)
        let want =
            #""catalogRefusal":"the catalog has 2 issues","degraded":["writes","jwt-keys","catalog","levels"]}"#
        #expect(status == 200 && text.hasSuffix(want), "\(text)")
    }

    @Test func `a store that cannot be read is not ready`() async throws {
        #expect(try await answer(TestServer.service(.brokenStore)).status == 503)
    }
}
