import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import Foundation
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of the lines that endpoints write to the audit log.
@Suite struct AuditTests {
    /// A log in memory.
    private final class Lines: AuditLog {
        private let entries = Mutex<[AuditEntry]>([])

        func write(_ entries: [AuditEntry]) async { self.entries.withLock { $0 += entries } }

        /// Takes the lines written since the last call.
        func take() -> [AuditRecord] {
            let taken = entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
            return taken.compactMap { AuditRecord($0.json) }
        }
    }

    private struct Audited {
        let log: Lines
        let names: InMemoryUserStateStore
        let port: Int

        /// Makes a request, and returns the answer's status with the lines that it caused.
        func ask(
            _ method: String,
            _ path: String,
            _ body: String = "",
            fields: [String] = [],
            as token: TestToken? = .admin
        ) async throws -> (status: Int, lines: [AuditRecord]) {
            var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
            if let token { text += "Authorization: Bearer \(token.text)\r\n" }
            for field in fields { text += field + "\r\n" }
            let response = try await RawConnection(port: port).exchange(Array((text + "\r\n" + body).utf8))
            return (response.status, log.take())
        }

        /// Sets a user, and returns the answer's status with the lines.
        func set(
            _ level: String,
            _ user: String = "ada",
            fields: [String] = [],
            as token: TestToken? = .admin
        ) async throws -> (status: Int, lines: [AuditRecord]) {
            try await ask(
                "POST",
                "/v1/users/\(user)",
                #"{"authorizationLevel":"\#(level)"}"#,
                fields: ["Content-Type: application/json"] + fields,
                as: token
            )
        }
    }

    private func withService(
        _ circumstance: TestServer.Circumstance = .userGrants,
        _ body: @escaping @Sendable (Audited) async throws -> Void
    ) async throws {
        let (log, memory) = (Lines(), InMemoryUserStateStore())
        let notes = TestToken.allCases.map(\.stored)
        let tokens = ServiceTokens(InMemoryServiceTokenStore(notes), holding: notes)
        let service = try TestServer.service(
            circumstance,
            store: memory,
            shortLinks: memory,
            audit: AuditTrail(log, tokens: tokens)
        )
        try await TestServer.application(service)
            .whileServing { port in try await body(Audited(log: log, names: memory, port: port)) }
    }

    private func level(_ state: JSONValue) -> String? {
        guard case .object(let members) = state, case .string(let level)? = members["authorizationLevel".bytewise]
        else { return nil }
        return level
    }

    @Test func `a level's change has a line with its author, its origin, before and after`() async throws {
        try await withService { service in
            let first = try await service.set(
                "signedInUser",
                fields: ["X-Request-Id: r-1", "X-Forwarded-For: 1.2.3.4, 203.0.113.7"]
            )
            let line = try #require(first.lines.first)
            #expect(first.status == 201 && first.lines.count == 1)
            #expect(line.action == "user.set" && line.requestID == "r-1" && line.time == TestServer.now)
            #expect(line.actor.kind == "token" && line.actor.id == TestToken.admin.stored.id.text)
            // The test's connection comes from this machine, as that of a proxy does.
            #expect(line.origin.peer == "127.0.0.1" && line.origin.forwarded == "203.0.113.7")
            #expect(line.before == .null && level(line.after) == "signedInUser")
            let ada = try #require(UserID("ada"))
            let name = try #require(try service.names.auditName(of: ada))
            #expect(line.user == name.text)
            #expect(!String(decoding: line.bytes, as: UTF8.self).contains("ada"))
            let second = try await service.set("premiumUser", fields: ["X-Forwarded-For: nobody"])
            #expect(
                second.lines.map { level($0.before) } == ["signedInUser"]
                    && second.lines.map { level($0.after) } == ["premiumUser"]
            )
            #expect(second.lines.first?.origin.forwarded == nil && second.lines.first?.user == line.user)
        }
    }

    @Test func `what changes nothing has no line`() async throws {
        try await withService { service in
            _ = try await service.set("signedInUser")
            for (expected, answer) in [
                (200, try await service.set("signedInUser")),
                (403, try await service.set("premiumUser", as: .resolver)),
                (401, try await service.set("premiumUser", as: nil)),
                (412, try await service.set("premiumUser", fields: ["If-Match: \"9\""])),
                (400, try await service.set("sultan")), (404, try await service.ask("DELETE", "/v1/users/bob")),
                (200, try await service.ask("GET", "/v1/users/ada")),
                (404, try await service.ask("DELETE", "/v1/users/ada/grants/pro", as: .granter)),
            ] { #expect(answer.status == expected && answer.lines.isEmpty) }
        }
    }

    @Test func `a repeated request has one line`() async throws {
        try await withService { service in
            let key = ["Idempotency-Key: k"]
            let (first, again) = (
                try await service.set("signedInUser", fields: key), try await service.set("signedInUser", fields: key)
            )
            #expect(first.lines.count == 1 && again.lines.isEmpty && again.status == first.status)
        }
    }

    @Test func `grants, deletions and erasures have lines, each of its kind`() async throws {
        try await withService { service in
            _ = try await service.set("signedInUser")
            let grant = try await service.ask("PUT", "/v1/users/ada/grants/pro", as: .granter)
            #expect(grant.lines.map(\.action) == ["user.grant"])
            #expect(grant.lines.first?.actor.id == TestToken.granter.stored.id.text)
            #expect(
                grant.lines.map { String(decoding: $0.bytes, as: UTF8.self).contains(#""grants":{"pro":{}}"#) } == [
                    true
                ]
            )
            let revoked = try await service.ask("DELETE", "/v1/users/ada/grants/pro", as: .granter)
            #expect(revoked.lines.map(\.action) == ["user.revoke"])
            let deleted = try await service.ask("DELETE", "/v1/users/ada")
            #expect(deleted.lines.map(\.action) == ["user.delete"] && deleted.lines.map(\.after) == [.null])
            let erased = try await service.ask("DELETE", "/v1/users/ada?history=erase")
            #expect(erased.status == 204 && erased.lines.map(\.action) == ["user.erase"])
            let user = grant.lines.first?.user
            for lines in [revoked.lines, deleted.lines, erased.lines] { #expect(lines.map(\.user) == [user]) }
            let name = try #require(user.flatMap(AuditName.init))
            #expect(try service.names.users(named: [name]).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `every state of a stream has a line, under the request's id`(_ isAtomic: Bool) async throws {
        try await withService { service in
            let ids = (0..<2500).map { "user-\($0)" }
            let body = ids.map { #"{"id":"\#($0)","authorizationLevel":"signedInUser"}"# + "\n" }.joined()
            let (status, lines) = try await service.ask(
                "POST",
                "/v1/users" + (isAtomic ? "?atomic=true" : ""),
                body + body,
                fields: ["Content-Type: application/x-ndjson", "X-Request-Id: bulk"]
            )
            // The second half changes nothing.
            #expect(status == 200 && lines.count == ids.count)
            #expect(Set(lines.compactMap(\.user)).count == ids.count)
            #expect(lines.allSatisfy { $0.action == "user.set" && $0.requestID == "bulk" && $0.before == .null })
        }
    }

    @Test func `short links have lines with routes, by their codes`() async throws {
        try await withService(.shortLinks) { service in
            func send(_ method: String, _ path: String, _ body: String = "") async throws -> [AuditRecord] {
                let answer = try await service.ask(
                    method,
                    "/v1/short-links" + path,
                    body,
                    fields: ["Content-Type: \(path.isEmpty ? "application/x-ndjson" : "application/json")"],
                    as: .publisher
                )
                #expect(answer.status < 300 || answer.status == 404)
                return answer.lines
            }
            let product = #"{"link":"https://shop.example/product/5","label":"spring"}"#
            let made = try await send("POST", "/sale", product)
            #expect(made.map(\.action) == ["short-link.make"] && made.map(\.object) == ["sale"])
            #expect(made.map(\.before) == [.null] && made.first?.actor.id == TestToken.publisher.stored.id.text)
            let text = String(decoding: try #require(made.first).bytes, as: UTF8.self)
            #expect(text.contains(#""after":{"routes":["home","product"],"label":"spring"}"#), "\(text)")
            #expect(try await send("POST", "/sale", product).isEmpty)
            let replaced = try await send("POST", "/sale", #"{"link":"https://shop.example/product/6"}"#)
            #expect(replaced.map(\.action) == ["short-link.replace"] && replaced.map(\.before) == made.map(\.after))
            let withdrawn = try await send("DELETE", "/sale")
            #expect(withdrawn.map(\.action) == ["short-link.withdraw"])
            #expect(withdrawn.map(\.before) == replaced.map(\.after))
            #expect(try await send("DELETE", "/sale").isEmpty)
            let lines = try await send(
                "POST",
                "",
                #"{"link":"https://shop.example/product/1","name":"a"}"# + "\n{}\n" + product + "\n"
            )
            #expect(lines.map(\.action) == ["short-link.make", "short-link.make"])
        }
    }

    @Test func `a short link about a person has the person's name and not its code`() async throws {
        try await withService(.shortLinks) { service in
            let about = #"{"link":"https://shop.example/product/5","about":"ada"}"#
            let fields = ["Content-Type: application/json"]
            let made = try await service.ask("POST", "/v1/short-links/ForAda", about, fields: fields)
            let withdrawn = try await service.ask("DELETE", "/v1/short-links/ForAda")
            let ada = try #require(UserID("ada"))
            let name = try #require(try service.names.auditName(of: ada))
            for (answer, action) in [(made, "short-link.make"), (withdrawn, "short-link.withdraw")] {
                #expect(answer.lines.map(\.action) == [action], "\(answer.status)")
                #expect(answer.lines.map(\.user) == [name.text] && answer.lines.map(\.object) == [nil])
                for line in answer.lines {
                    let text = String(decoding: line.bytes, as: UTF8.self)
                    #expect(!text.lowercased().contains("ada"), "\(text)")
                }
            }
            let erased = try await service.ask("DELETE", "/v1/users/ada?history=erase")
            #expect(erased.status == 204 && erased.lines.map(\.action) == ["user.erase"])
            #expect(erased.lines.map(\.user) == [name.text] && erased.lines.map(\.before) == [.null])
            #expect(try service.names.users(named: [name]).isEmpty)
        }
    }

    @Test func `a short link that is about nobody any more has the name all the same`() async throws {
        try await withService(.shortLinks) { service in
            let fields = ["Content-Type: application/json"]
            let about = #"{"link":"https://shop.example/product/5","about":"ada"}"#
            let made = try await service.ask("POST", "/v1/short-links/sale", about, fields: fields)
            let name = try #require(made.lines.first?.user)
            let free = #"{"link":"https://shop.example/product/5"}"#
            let line = try #require(
                try await service.ask("POST", "/v1/short-links/sale", free, fields: fields).lines.first
            )
            #expect(line.action == "short-link.replace" && line.user == name && line.users == [name, name])
            #expect(line.object == nil && line.before != line.after)
        }
    }

    @Test func `a person who is logged in is the author, by subject and name`() throws {
        let person = try #require(ConsoleUser(subject: "f81d4fae", name: "ada", roles: [.admin]))
        #expect(AuditTrail.none.actor(of: .person(person)) == AuditActor(.person, id: "f81d4fae", name: "ada"))
    }

    @Test func `on an open server the author is anyone`() async throws {
        try await withService(.usual) { service in
            let lines = try await service.set("premiumUser", as: nil).lines
            #expect(lines.map(\.actor.kind) == ["anyone"] && lines.map(\.actor.id) == [nil])
        }
    }

    @Test func `a line keeps the texts of others in their place`() throws {
        let note = "\",\"after\":{}}\n{\"audit\":\"user.set\u{0}"
        let entry = AuditEntry(
            .createToken,
            of: .token(TestToken.admin.stored.id),
            at: TestServer.now,
            by: AuditActor(.token, id: note, name: note),
            reason: note,
            requestID: note
        )
        #expect(!entry.json.contains(UInt8(ascii: "\n")) && entry.json.starts(with: AuditEntry.beginning))
        let record = try #require(AuditRecord(entry.json))
        #expect(record.actor.id == note && record.actor.name == note && record.reason == note)
        #expect(record.requestID == note && record.after == .null)
    }
}
