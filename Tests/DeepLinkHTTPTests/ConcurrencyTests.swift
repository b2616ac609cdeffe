import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Hummingbird
import ServerTestSupport
import Testing
import WaymarkTestSupport

@Suite struct ConcurrencyTests {
    @Test func `writes from 64 connections lose nothing`() async throws {
        let writesPerConnection = 8
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/states.sqlite")
            try await TestServer.application(store: store)
                .whileServing { port in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for connection in 0..<64 {
                            group.addTask {
                                let socket = try RawConnection(port: port)
                                for round in 0..<writesPerConnection {
                                    // An end of its own, so that none is as it was.
                                    let second = connection * writesPerConnection + round
                                    let shared = try await socket.exchange(post("shared", until: second))
                                    let own = try await socket.exchange(post("own-\(connection)", until: second))
                                    #expect([shared.status, own.status].allSatisfy { $0 == 200 || $0 == 201 })
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            #expect(try store.state(of: #require(UserID("shared")))?.version == 64 * writesPerConnection)
            for connection in 0..<64 {
                #expect(try store.state(of: #require(UserID("own-\(connection)")))?.version == writesPerConnection)
            }
            try store.close()
        }
    }

    private func post(_ id: String, until second: Int) -> [UInt8] {
        let end = Timestamp(millisecondsSinceEpoch: Int64(second) * 1000).rfc3339
        let body = "{\"authorizationLevel\":\"signedInUser\",\"validUntil\":\"\(end)\"}"
        return Array(
            ("POST /v1/users/\(id) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                .utf8
        )
    }
}
