import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// A store of any kind, seen as one of short links and of users.
struct ShortLinkStores {
    let links: any ShortLinkStore
    let checks: any ShortLinkCheckStore
    let users: any UserStateStore

    /// Runs a body with a new store of a kind.
    static func with(
        _ kind: StoreKind,
        codeGenerator: ShortLinkCodeGenerator = .system,
        _ body: (ShortLinkStores) async throws -> Void
    ) async throws {
        let memory = InMemoryUserStateStore(codeGenerator: codeGenerator)
        try await kind.with(
            codeGenerator: codeGenerator,
            memory: { ShortLinkStores(links: memory, checks: memory, users: memory) },
            stored: { ShortLinkStores(links: $0, checks: $0, users: $0) },
            body
        )
    }

    /// Finds the link of a code as resolving does, and makes sure that what is stored is the same.
    func find(_ code: String) async throws -> ShortLink? {
        let code = try ShortLinkFixture.code(code)
        let found = try await links.link(for: code).value
        #expect(found == .current(try await links.storedLink(for: code)))
        return found.link
    }

    /// Erases a user.
    func erase(_ name: String) async throws -> Bool {
        try await users.remove(
            UserStateRemoval(
                id: StoreFixture.id(name),
                time: ShortLinkFixture.time(9000),
                author: "test",
                isErasure: true
            )
        )
    }
}

/// Short links for tests.
enum ShortLinkFixture {
    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    static func code(_ text: String) throws -> ShortLinkCode { try #require(ShortLinkCode(text)) }

    static func label(_ text: String) throws -> ShortLinkLabel { try #require(ShortLinkLabel(text)) }

    static func naming(_ name: String, terms: [UInt8] = [1, 2]) throws -> ShortLinkNaming {
        ShortLinkNaming(name: try #require(ShortLinkName(name)), terms: terms)
    }

    /// The destination of an offer, on a tab.
    static func target(_ id: String = "7", route: String = "offer") -> ShortLinkTarget {
        let parameters = [BoundParameter(name: "id", value: .string(id))]
        let stack = [
            Destination(route: "shop", presentation: .tab),
            Destination(route: route, presentation: .push, parameters: parameters),
        ]
        return ShortLinkTarget(stack: stack, text: "https://example.com/\(route)/\(id)")
    }

    /// The contents of a link to an offer.
    static func contents(of id: String) -> ShortLinkContents { ShortLinkContents(target: target(id)) }

    /// The write of a link with a code of its own.
    static func write(
        _ code: String,
        kind: ShortLinkKind = .given,
        naming: ShortLinkNaming? = nil,
        _ contents: ShortLinkContents = ShortLinkContents(target: target()),
        withdrawal: ShortLinkWrite.Withdrawal = .unspecified,
        if precondition: UserStatePrecondition = .none,
        at now: Int64 = 1000
    ) throws -> ShortLinkWrite {
        ShortLinkWrite(
            code: .given(try self.code(code), kind: kind),
            naming: naming,
            contents: contents,
            withdrawal: withdrawal,
            precondition: precondition,
            time: time(now),
            author: "test"
        )
    }

    /// The write of a link with a code of the server's.
    static func drawn(
        _ contents: ShortLinkContents = ShortLinkContents(target: target()),
        count: Int = ShortLinkCode.drawnCount,
        naming: ShortLinkNaming? = nil,
        quota: ShortLinkQuota? = nil,
        at now: Int64 = 1000,
        storing: ResponseStoring<ShortLinkWriteResult>? = nil
    ) -> ShortLinkWrite {
        ShortLinkWrite(
            code: .drawn(count: count),
            naming: naming,
            contents: contents,
            quota: quota,
            time: time(now),
            author: "test",
            storing: storing
        )
    }

    static func removal(
        _ code: String,
        if precondition: UserStatePrecondition = .none,
        at now: Int64 = 2000
    ) throws -> ShortLinkRemoval {
        ShortLinkRemoval(code: try self.code(code), precondition: precondition, time: time(now), author: "test")
    }
}
