import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of requests that clients send again, at the same time and later.
@Suite struct RepetitionTests {
    private struct ReceivedResponse: Hashable {
        let status: Int
        let body: String
    }

    private static func send(
        _ path: String,
        _ body: String,
        key: String,
        _ client: any TestClientProtocol
    ) async throws -> ReceivedResponse {
        let response = try await client.execute(
            uri: path,
            method: .post,
            headers: [.contentType: "application/json", HTTPField.Name("Idempotency-Key") ?? .accept: key],
            body: ByteBuffer(string: body)
        )
        return ReceivedResponse(status: response.status.code, body: String(buffer: response.body))
    }

    @Test func `of 64 requests under one key one makes a change, and the others get its answer`() async throws {
        let store = InMemoryUserStateStore()
        try await TestServer.application(store: store)
            .test(.router) { client in
                let answers = try await withThrowingTaskGroup(of: ReceivedResponse.self) { group in
                    for _ in 0..<64 {
                        group.addTask {
                            try await Self.send("/v1/users/ann", #"{"authorizationLevel":"none"}"#, key: "k", client)
                        }
                    }
                    return try await group.reduce(into: Set<ReceivedResponse>()) { $0.insert($1) }
                }
                #expect(answers.filter { $0.status == 201 }.count == 1)
                #expect(answers.allSatisfy { [201, 409].contains($0.status) })
                // The caller that had to wait gets it afterwards.
                let again = try await Self.send(
                    "/v1/users/ann",
                    #"{"authorizationLevel":"none"}"#,
                    key: "k",
                    client
                )
                #expect(answers.contains(again) && again.status == 201)
            }
        let ann = try #require(UserID("ann"))
        #expect(try await store.history(of: ann).count == 1)
    }

    @Test func `an answer is forgotten after a day`() async throws {
        let clock = Mutex(TestServer.now.millisecondsSinceEpoch)
        let now: @Sendable () -> Timestamp = { Timestamp(millisecondsSinceEpoch: clock.withLock(\.self)) }
        try await TestServer.application(now: now)
            .test(.router) { client in
                func write() async throws -> Int {
                    try await Self.send("/v1/users/ann", #"{"authorizationLevel":"none"}"#, key: "k", client).status
                }
                let first = try await write()
                #expect(first == 201)
                clock.withLock { $0 += 86_400_000 }
                #expect(try await write() == 201)
                clock.withLock { $0 += 1 }
                #expect(try await write() == 200)
            }
    }

    @Test func `a redemption is granted again under its key, and to its user alone`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let refusal = try await Self.send(
                    "/v1/resolve",
                    #"{"link":"navigation:/characters"}"#,
                    key: "unread",
                    client
                )
                let token = try #require(
                    try CanonicalJSON.member("continuation", of: Array(refusal.body.utf8))
                )
                func redeem(_ user: String, key: String) async throws -> ReceivedResponse {
                    try await Self.send(
                        "/v1/continuations",
                        "{\"token\":\(token),\"user\":\"\(user)\"}",
                        key: key,
                        client
                    )
                }
                // A refusal is not kept: the same key serves when the gate is passed.
                #expect(try await redeem("ada", key: "k").status == 403)
                let level = #"{"authorizationLevel":"premiumUser"}"#
                for user in ["ada", "bob"] {
                    #expect(try await Self.send("/v1/users/\(user)", level, key: "k", client).status == 201)
                }
                let granted = try await redeem("ada", key: "k")
                #expect(granted.status == 200)
                #expect(try await redeem("ada", key: "k") == granted)
                #expect(try await redeem("bob", key: "k").status == 422)
                #expect(try await redeem("bob", key: "other").status == 410)
            }
    }

    @Test func `where the store fails, lines that belong together have one problem`() async throws {
        try await TestServer.application(.brokenStore)
            .test(.router) { client in
                let line = "{\"id\":\"ann\",\"authorizationLevel\":\"none\"}\n"
                for (path, lines, status) in [
                    ("/v1/users", line + "{}\n{}\n", 200), ("/v1/users?atomic=true", line, 503),
                ] {
                    let response = try await client.execute(
                        uri: path,
                        method: .post,
                        headers: [.contentType: "application/x-ndjson"],
                        body: ByteBuffer(string: lines)
                    )
                    #expect(response.status.code == status)
                    let answers = String(buffer: response.body).split(separator: "\n")
                    #expect(answers.count == (status == 200 ? 3 : 1))
                    #expect(answers.allSatisfy { $0.contains("user-state-unavailable") || $0.contains("`id`") })
                    #expect(answers[0].contains("user-state-unavailable"))
                }
            }
    }

    @Test func `many lines are written in slices, and every line is answered`() async throws {
        let store = InMemoryUserStateStore()
        let count = BatchLimits.size * 3 + 7
        let lines = (0..<count).map { "{\"id\":\"user-\($0)\",\"authorizationLevel\":\"signedInUser\"}\n" }.joined()
        try await TestServer.application(store: store)
            .test(.router) { client in
                for (path, status) in [("/v1/users", 200), ("/v1/users?atomic=true", 200)] {
                    let response = try await client.execute(
                        uri: path,
                        method: .post,
                        headers: [.contentType: "application/x-ndjson"],
                        body: ByteBuffer(string: lines)
                    )
                    #expect(response.status.code == status)
                    let answers = String(buffer: response.body).split(separator: "\n")
                    #expect(answers.count == count)
                    for (number, answer) in answers.enumerated() {
                        #expect(answer.hasPrefix("{\"id\":\"user-\(number)\",") && answer.contains("\"version\":1,"))
                    }
                }
                let broken = try await client.execute(
                    uri: "/v1/users?atomic=true",
                    method: .post,
                    headers: [.contentType: "application/x-ndjson"],
                    body: ByteBuffer(string: lines.replacing("signedInUser", with: "premiumUser") + "{}\n")
                )
                #expect(broken.status == .badRequest)
                #expect(try CanonicalJSON.member("line", of: Array(broken.body.readableBytesView)) == "\(count + 1)")
            }
        #expect(try store.states(after: nil, limit: 10_000).allSatisfy { $0.version == 1 })
    }
}
