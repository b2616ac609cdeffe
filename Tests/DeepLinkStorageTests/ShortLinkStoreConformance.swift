import DeepLinkCore
import Testing

@testable import DeepLinkStorage

/// Tests of how every store keeps, replaces and withdraws short links.
@Suite struct ShortLinkStoreConformance {
    private typealias Fixture = ShortLinkFixture

    /// Contents with a value for everything.
    private static func everything(about user: String? = "ada") throws -> ShortLinkContents {
        ShortLinkContents(
            host: "go.example.com",
            target: Fixture.target("é\"\\"),
            label: try Fixture.label("Sömmer, 50 %"),
            expires: Fixture.time(50_000),
            about: try user.map { try StoreFixture.id($0) },
            signature: ShortLinkSignature(end: nil)
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a link is stored with all that it has`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            for (index, user) in ["ada", nil].enumerated() {
                let code = "code-\(index)"
                let naming = try Fixture.naming("é\"{}\\,NULL \(index)", terms: Array(0..<32))
                let write = try Fixture.write(code, naming: naming, Self.everything(about: user))
                let saved = try await stores.links.save(write)
                #expect(saved.effect == .made && saved.link.version == 1)
                #expect(saved.link.contents == write.contents && saved.link.naming == naming)
                #expect(saved.link.createdAt == Fixture.time(1000) && saved.link.author == "test")
                #expect(try await stores.find(code) == saved.link)
                #expect(try await stores.links.storedLink(named: naming.name) == saved.link)
                let stack = try #require(try await stores.find(code)?.contents.target.stack)
                #expect(stack.map(\.route) == ["shop", "offer"])
                #expect(stack.last?.parameters == [BoundParameter(name: "id", value: .string("é\"\\"))])
            }
            let ends = ShortLinkContents(target: Fixture.target(), signature: ShortLinkSignature(end: Fixture.time(7)))
            let signed = try await stores.links.save(Fixture.write("signed", ends)).link
            #expect(try await stores.find("signed") == signed && signed.contents.signature?.end == Fixture.time(7))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a name answers on its terms, and is taken on others`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            let first = try await links.save(Fixture.drawn(naming: Fixture.naming("mail-7"))).link
            let again = try await links.save(Fixture.drawn(naming: Fixture.naming("mail-7"), at: 2000))
            #expect(again.effect == .known && again.link == first)
            await #expect(throws: ShortLinkWriteError.nameTaken(by: first)) {
                try await links.save(Fixture.drawn(naming: Fixture.naming("mail-7", terms: [9])))
            }
            // As it is now, not as it was made.
            let other = ShortLinkContents(target: Fixture.target("8"))
            let changed = try await links.save(Fixture.write(first.code.text, other, at: 3000)).link
            #expect(changed.version == 2 && changed.naming == first.naming)
            #expect(try await links.save(Fixture.drawn(naming: Fixture.naming("mail-7"))).link == changed)
            // A link of another code keeps its own name.
            let given = try await links.save(Fixture.write("own", naming: Fixture.naming("own"))).link
            await #expect(throws: ShortLinkWriteError.nameTaken(by: given)) {
                try await links.save(Fixture.write("own", naming: Fixture.naming("second")))
            }
            #expect(try await links.storedLink(named: try Fixture.naming("second").name) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a withdrawn link keeps its code and its name until it is restored`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            _ = try await links.save(Fixture.write("sale", naming: Fixture.naming("n")))
            #expect(try await stores.find("sale")?.contents.isWithdrawn == false)
            #expect(try await links.withdraw(Fixture.removal("sale")) != nil)
            #expect(try await links.withdraw(Fixture.removal("sale", at: 2500)) == nil)
            #expect(try await links.withdraw(Fixture.removal("nothing")) == nil)
            let gone = try #require(try await stores.find("sale"))
            #expect(gone.contents.isWithdrawn && gone.version == 2 && gone.updatedAt == Fixture.time(2000))
            await #expect(throws: ShortLinkWriteError.codeTaken(by: gone)) {
                try await links.save(Fixture.write("sale"))
            }
            await #expect(throws: ShortLinkWriteError.codeTaken(by: gone)) {
                try await links.save(Fixture.write("SALE", withdrawal: .restored))
            }
            #expect(try await links.save(Fixture.drawn(naming: Fixture.naming("n"))).link == gone)
            let back = try await links.save(Fixture.write("sale", withdrawal: .restored, at: 3000))
            #expect(back.isNew && back.link.version == 3 && back.link.naming == gone.naming)
            #expect(try await stores.find("sale") == back.link)
            let history = try await links.history(of: Fixture.code("sale"), after: 0, limit: 10)
            #expect(history.map(\.version) == [1, 2, 3])
            #expect(history.map(\.isWithdrawn) == [false, true, false])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `conditions are about the version, and a withdrawn link has none`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            await #expect(throws: ShortLinkWriteError.versionMismatch(current: nil)) {
                try await links.save(Fixture.write("sale", if: .exists))
            }
            _ = try await links.save(Fixture.write("sale", if: .absent))
            await #expect(throws: ShortLinkWriteError.versionMismatch(current: 1)) {
                try await links.save(Fixture.write("sale", if: .absent))
            }
            let other = ShortLinkContents(target: Fixture.target("8"))
            #expect(try await links.save(Fixture.write("sale", other, if: .version([1]))).link.version == 2)
            await #expect(throws: ShortLinkWriteError.versionMismatch(current: 2)) {
                try await links.withdraw(Fixture.removal("sale", if: .version([1])))
            }
            #expect(try await links.withdraw(Fixture.removal("sale", if: .version([2]))) != nil)
            await #expect(throws: ShortLinkWriteError.versionMismatch(current: nil)) {
                try await links.save(Fixture.write("sale", withdrawal: .restored, if: .exists))
            }
            #expect(try await links.save(Fixture.write("sale", withdrawal: .restored, if: .absent)).link.version == 4)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the same write makes no version, and the history begins with the making`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let links = stores.links
            let code = try Fixture.code("sale")
            let first = try await links.save(Fixture.write("sale", Self.everything())).link
            let again = try await links.save(Fixture.write("sale", Self.everything(), at: 2000))
            #expect(again.effect == .unchanged && again.link == first)
            #expect(try await links.history(of: code, after: 0, limit: 10) == [first.making])
            for version in 2...5 {
                let contents = ShortLinkContents(target: Fixture.target("\(version)", route: "route-\(version)"))
                _ = try await links.save(Fixture.write("sale", contents, at: Int64(version) * 1000))
            }
            let history = try await links.history(of: code, after: 0, limit: 10)
            #expect(history.map(\.version) == Array(1...5) && history.first == first.making)
            #expect(history.map(\.target.shape.route) == ["offer"] + (2...5).map { "route-\($0)" })
            #expect(try await links.history(of: code, after: 2, limit: 2).map(\.version) == [3, 4])
            #expect(try await links.history(of: Fixture.code("SALE"), after: 0, limit: 10).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `many writes have each an outcome of its own, in one commit`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let outcomes = try await stores.links.saveEach([
                Fixture.write("one", naming: Fixture.naming("a")), Fixture.write("ONE"),
                Fixture.drawn(naming: Fixture.naming("a")), Fixture.write("two", if: .exists), Fixture.write("three"),
                Fixture.write("three", ShortLinkContents(target: Fixture.target("9")), at: 2000),
            ])
            let one = try #require(try await stores.find("one"))
            #expect(outcomes.count == 6)
            #expect(outcomes[0] == .success(ShortLinkWriteResult(link: one, effect: .made)))
            #expect(outcomes[1] == .failure(.codeTaken(by: one)))
            #expect(outcomes[2] == .success(ShortLinkWriteResult(link: one, effect: .known)))
            #expect(outcomes[3] == .failure(.versionMismatch(current: nil)))
            #expect(try outcomes[5].get().effect == .replaced)
            #expect(try await stores.find("three")?.version == 2)
            #expect(try await stores.links.history(of: Fixture.code("three"), after: 0, limit: 9).count == 2)
            #expect(try await stores.links.saveEach([]).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a request that is sent again gets the same answer, and makes nothing`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let request = KeyedRequest(
                caller: "test",
                method: "POST",
                path: "/v1/short-links",
                key: "k",
                digest: [UInt8](repeating: 1, count: KeyedRequest.digestByteCount),
                user: try StoreFixture.id("ada"),
                time: Fixture.time(1000)
            )
            let answer = StoredResponse(digest: request.digest, status: 201, tag: "\"1\"", body: [1])
            let write = Fixture.drawn(storing: ResponseStoring(request) { _ in answer })
            let first = try await stores.links.save(write).link
            await #expect(throws: ShortLinkWriteError.answered(answer)) { try await stores.links.save(write) }
            let page = try await stores.links.shortLinks(ShortLinkFilter(), after: nil, limit: 10)
            #expect(page.links == [first])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a quota counts the links about a user from a moment on`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let user = try StoreFixture.id("ada")
            let contents = ShortLinkContents(target: Fixture.target(), about: user)
            func make(since: Int64, at now: Int64) async throws {
                let quota = ShortLinkQuota(user: user, maximumCount: 2, since: Fixture.time(since))
                _ = try await stores.links.save(Fixture.drawn(contents, quota: quota, at: now))
            }
            for now: Int64 in [1000, 2000] { try await make(since: 500, at: now) }
            await #expect(throws: ShortLinkWriteError.tooManyLinks) { try await make(since: 1000, at: 2500) }
            try await make(since: 1001, at: 2500)
            _ = try await stores.links.save(Fixture.drawn(contents))
            await #expect(throws: ShortLinkWriteError.tooManyLinks) { try await make(since: 1001, at: 2600) }
        }
    }
}
