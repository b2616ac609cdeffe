import DeepLinkCore
import DeepLinkStorage
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of answers that must not come before a version of the user, and of levels that have to be waited for.
@Suite struct UserVersionTests {
    private static let link = "link=navigation%3A%2F%2Floremipsum.com%2Fcharacters"

    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n"
    }

    private static func post(_ path: String, _ body: String, type: String = "application/json") -> String {
        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func answers(_ store: any UserStateStore, _ requests: [String]) async throws -> [RawResponse] {
        try await TestServer.application(store: store)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                var answers: [RawResponse] = []
                for request in requests { answers.append(try await connection.exchange(Array(request.utf8))) }
                return answers
            }
    }

    @Test(arguments: [false, true])
    func `an answer comes from the version that is asked for, or later`(_ waits: Bool) async throws {
        let store: any UserStateStore = waits ? RemoteStore() : InMemoryUserStateStore()
        let user = #"{"authorizationLevel":"signedInUser"}"#
        let body = #"{"link":"navigation://loremipsum.com/characters","user":"ann","userVersion":1}"#
        let answers = try await answers(
            store,
            [
                Self.post("/v1/users/ann", user), Self.get("/v1/resolve?\(Self.link)&user=ann&userVersion=1"),
                Self.get("/v1/resolve?\(Self.link)&user=ann", "Waymark-User-Version: 1\r\n"),
                Self.post("/v1/resolve", body), Self.get("/v1/resolve?\(Self.link)&user=ann&userVersion=2"),
                Self.get("/v1/resolve?\(Self.link)&user=ann", "Waymark-User-Version: 2\r\n"),
                Self.get("/v1/resolve?\(Self.link)&user=bob&userVersion=1"),
                Self.get("/v1/resolve?\(Self.link)&user=ann"),
                Self.post("/v1/resolve/batch", body + "\n", type: "application/x-ndjson"),
            ]
        )
        #expect(answers.map(\.status) == [201, 200, 200, 200, 412, 412, 412, 200, 200])
        #expect(answers[4].text.contains(#""version":1}"#))
        #expect(answers[6].text.contains(#""version":null}"#))
        #expect(answers[8].text.contains(#""stack""#))
    }

    @Test(arguments: [
        "&user=ann&userVersion=0", "&user=ann&userVersion=x", "&userVersion=1", "&user=ann&userVersion=1&userVersion=1",
    ])
    func `what is no version of a user is refused`(_ query: String) async throws {
        let answers = try await answers(InMemoryUserStateStore(), [Self.get("/v1/resolve?\(Self.link)\(query)")])
        #expect(answers[0].status == 400)
        let conflict = Self.get("/v1/resolve?\(Self.link)&user=ann&userVersion=1", "Waymark-User-Version: 2\r\n")
        #expect(try await self.answers(InMemoryUserStateStore(), [conflict])[0].status == 400)
    }

    @Test(arguments: [false, true])
    func `a redemption counts from the version that is asked for, or later`(_ waits: Bool) async throws {
        let store: any UserStateStore = waits ? RemoteStore() : InMemoryUserStateStore()
        let refused = try await answers(store, [Self.get("/v1/resolve?\(Self.link)&user=ann")])
        let token = try #require(refused[0].text.firstMatch(of: /"continuation":"([^"]+)"/)?.output.1)
        let body = #"{"token":"\#(token)","user":"ann""#
        let answers = try await answers(
            store,
            [
                Self.post("/v1/continuations", body + #","userVersion":1}"#),
                Self.post("/v1/users/ann", #"{"authorizationLevel":"signedInUser"}"#),
                Self.post("/v1/continuations", body + #","userVersion":2}"#),
                Self.post("/v1/continuations", body + #","userVersion":"x"}"#),
                Self.post("/v1/continuations", body + #","userVersion":1}"#),
            ]
        )
        #expect(answers.map(\.status) == [412, 201, 412, 400, 200])
    }

    @Test func `an answer from a level that may be out of date says so, also a refusal`() async throws {
        let answers = try await answers(
            RemoteStore(isStale: true),
            [
                Self.post("/v1/users/ann", #"{"authorizationLevel":"signedInUser"}"#),
                Self.get("/v1/resolve?\(Self.link)&user=ann"), Self.get("/v1/resolve?\(Self.link)&user=bob"),
                Self.post(
                    "/v1/resolve/batch",
                    #"{"link":"navigation://loremipsum.com/characters","user":"ann"}"# + "\n",
                    type: "application/x-ndjson"
                ),
            ]
        )
        #expect(answers.map(\.status) == [201, 200, 403, 200])
        for answer in answers.dropFirst() {
            #expect(answer.head.contains { $0.lowercased().hasPrefix("warning: 110 ") }, "\(answer.head)")
        }
    }
}
