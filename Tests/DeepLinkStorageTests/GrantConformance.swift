import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of user states must do with grants.
@Suite struct GrantConformance {
    private static let (kyc, pro, last) = (name("kyc"), name("pro"), name("z-last"))

    private static func name(_ text: String) -> GrantName? { GrantName(text) }

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func with(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private func grant(
        _ name: GrantName?,
        to user: String = "ada",
        until end: Int64? = nil,
        asOf effectiveTime: Int64? = nil,
        at now: Int64 = 1000,
        if precondition: UserStatePrecondition = .none
    ) throws -> GrantWrite {
        GrantWrite(
            id: try StoreFixture.id(user),
            name: try #require(name),
            change: .hold(until: end.map(Self.time)),
            precondition: precondition,
            time: Self.time(now),
            author: "test",
            asOf: effectiveTime.map(Self.time)
        )
    }

    private func removal(
        _ name: GrantName?,
        of user: String = "ada",
        asOf effectiveTime: Int64? = nil,
        at now: Int64 = 1000,
        if precondition: UserStatePrecondition = .none
    ) throws -> GrantWrite {
        GrantWrite(
            id: try StoreFixture.id(user),
            name: try #require(name),
            change: .remove,
            precondition: precondition,
            time: Self.time(now),
            author: "test",
            asOf: effectiveTime.map(Self.time)
        )
    }

    private func level(
        _ level: AuthorizationLevel = .signedInUser,
        grants: [GrantAssignment]? = nil,
        asOf effectiveTime: Int64? = nil,
        at now: Int64 = 1000,
        if precondition: UserStatePrecondition = .none
    ) throws -> UserStateWrite {
        UserStateWrite(
            id: try StoreFixture.id("ada"),
            level: try #require(LevelAssignment(level: level)),
            grants: grants,
            precondition: precondition,
            time: Self.time(now),
            author: "test",
            asOf: effectiveTime.map(Self.time)
        )
    }

    private func deletion(asOf effectiveTime: Int64? = nil, at now: Int64 = 1000, erases: Bool = false) throws
        -> UserStateRemoval
    {
        UserStateRemoval(
            id: try StoreFixture.id("ada"),
            time: Self.time(now),
            author: "test",
            asOf: effectiveTime.map(Self.time),
            isErasure: erases
        )
    }

    private func names(_ store: any UserStateStore, at now: Int64 = 1000) async throws -> [String]? {
        try await store.access(of: StoreFixture.id("ada"))?.grants(at: Self.time(now)).map(\.name.text)
    }

    @Test(arguments: StoreKind.allCases)
    func `a grant makes a user without a written level, whom a level then makes anew`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let ada = try StoreFixture.id("ada")
            let first = try await store.save(grant(Self.pro, until: 5000))
            #expect(!first.wasHeld && first.isHeld && first.state?.version == 1)
            let state = try #require(try await store.state(of: ada))
            #expect(state == first.state && state.access.level == nil && state.level == .unwritten)
            #expect(try await store.access(of: ada) == state.access)
            #expect(try await store.states(after: nil, limit: 9) == [state])
            // A level was never written, so one that must be new is.
            let written = try await store.save(level(if: .absent))
            #expect(written.isNew && written.state.version == 2)
            #expect(written.state.access.grants == state.access.grants)
            await #expect(throws: UserStateWriteError.versionMismatch(current: 2)) {
                try await store.save(level(.premiumUser, if: .absent))
            }
            let history = try await store.history(of: ada)
            #expect(history.map(\.level?.level) == [LevelName.none, .signedInUser])
            #expect(history.map { $0.access?.grants.map(\.name.text) } == [["pro"], ["pro"]])
            #expect(history.first?.access?.grants.first?.validUntil == Self.time(5000))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `levels leave grants, and grants leave levels and each other`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            _ = try await store.save(level(.premiumUser))
            _ = try await store.save(grant(Self.pro))
            _ = try await store.save(grant(Self.kyc, until: 9000))
            _ = try await store.save(level(.signedInUser))
            let state = try #require(try await store.state(of: StoreFixture.id("ada")))
            #expect(state.version == 4 && state.level.level == .signedInUser)
            #expect(try await names(store) == ["kyc", "pro"])
            #expect(try await store.save(removal(Self.pro)).wasHeld)
            #expect(try await names(store) == ["kyc"])
            #expect(try await store.access(of: StoreFixture.id("ada"))?.level?.level == .signedInUser)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the same grant again makes no version, and another end does`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            _ = try await store.save(grant(Self.pro, until: 5000))
            let again = try await store.save(grant(Self.pro, until: 5000, at: 2000))
            #expect(again.wasHeld && again.state?.version == 1 && again.state?.updatedAt == Self.time(1000))
            #expect(try await store.save(grant(Self.pro, until: 6000, at: 2000)).state?.version == 2)
            #expect(try await store.history(of: StoreFixture.id("ada")).count == 2)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `each grant has an order of its own, which its removal keeps`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            _ = try await store.save(level(asOf: 900))
            let held = try await store.save(grant(Self.pro, asOf: 500))
            await #expect(throws: UserStateWriteError.superseded(by: held.state)) {
                try await store.save(removal(Self.pro, asOf: 499))
            }
            // Neither the level nor another grant has anything to do with it.
            #expect(try await store.save(grant(Self.kyc, asOf: 100)).isHeld)
            #expect(try await store.save(removal(Self.pro, asOf: 600)).wasHeld)
            let left = try await store.state(of: StoreFixture.id("ada"))
            await #expect(throws: UserStateWriteError.superseded(by: left)) {
                try await store.save(grant(Self.pro, asOf: 599))
            }
            await #expect(throws: UserStateWriteError.superseded(by: left)) {
                try await store.save(level(.premiumUser, asOf: 899))
            }
            #expect(try await names(store) == ["kyc"])
            #expect(try await store.save(grant(Self.pro, asOf: 600)).isHeld)
            #expect(try await names(store) == ["kyc", "pro"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `removing what is not held changes nothing`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let nobody = try await store.save(removal(Self.pro))
            #expect(!nobody.wasHeld && nobody.state == nil)
            let written = try await store.save(level()).state
            let none = try await store.save(removal(Self.pro, at: 2000))
            #expect(!none.wasHeld && none.state == written)
            #expect(try await store.history(of: StoreFixture.id("ada")).count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an end that has passed takes the grant away without a version`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            _ = try await store.save(grant(Self.pro, until: 5000))
            #expect(try await names(store, at: 5000) == ["pro"])
            #expect(try await names(store, at: 5001) == [])
            // It has ended, so there is nothing to remove, and a longer one is new.
            #expect(try await store.save(removal(Self.pro, at: 6000)).wasHeld == false)
            #expect(try await store.state(of: StoreFixture.id("ada"))?.version == 1)
            let ended = try await store.save(grant(Self.pro, until: 5500, at: 6000))
            #expect(!ended.wasHeld && !ended.isHeld && ended.state?.version == 1)
            let longer = try await store.save(grant(Self.pro, until: 9000, at: 6000))
            #expect(!longer.wasHeld && longer.isHeld && longer.state?.version == 2)
            // An end that has passed removes the grant.
            let removed = try await store.save(grant(Self.pro, until: 6500, at: 7000))
            #expect(removed.wasHeld && !removed.isHeld && removed.state?.version == 3)
            #expect(try await names(store, at: 6100) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `conditions ask for the grant, or for the version of the user`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            await #expect(throws: UserStateWriteError.versionMismatch(current: nil)) {
                try await store.save(grant(Self.pro, if: .version([1])))
            }
            await #expect(throws: UserStateWriteError.versionMismatch(current: nil)) {
                try await store.save(grant(Self.pro, if: .exists))
            }
            _ = try await store.save(level())
            #expect(try await store.save(grant(Self.pro, if: .absent)).state?.version == 2)
            await #expect(throws: UserStateWriteError.versionMismatch(current: 2)) {
                try await store.save(grant(Self.pro, until: 9000, if: .absent))
            }
            await #expect(throws: UserStateWriteError.versionMismatch(current: 2)) {
                try await store.save(removal(Self.pro, if: .version([1])))
            }
            #expect(try await store.save(removal(Self.pro, if: .version([2]))).wasHeld)
            #expect(try await store.save(level(.premiumUser, if: .exists)).state.version == 4)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a write with grants replaces all that are not of a later moment`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let (pro, last) = (try #require(Self.pro), try #require(Self.last))
            _ = try await store.save(grant(Self.kyc, asOf: 800))
            _ = try await store.save(grant(Self.pro, asOf: 100))
            let ada = try StoreFixture.id("ada")
            let first = try await store.save(
                level(grants: [GrantAssignment(last), GrantAssignment(pro, validUntil: Self.time(9000))], asOf: 500)
            )
            #expect(first.isNew && first.state.version == 3)
            #expect(try await names(store) == ["kyc", "pro", "z-last"])
            #expect(try await store.history(of: ada).last?.access == first.state.access)
            // All grants were told as of 500, also those that were never there.
            await #expect(throws: UserStateWriteError.superseded(by: first.state)) {
                try await store.save(
                    GrantWrite(
                        id: ada,
                        name: try #require(GrantName("other")),
                        change: .hold(until: nil),
                        time: Self.time(1000),
                        author: "t",
                        asOf: Self.time(499)
                    )
                )
            }
            #expect(try await store.save(level(grants: [], asOf: 900)).state.access.grants.isEmpty)
            // Too late for the level, and not for the grants.
            _ = try await store.save(level(.premiumUser, asOf: 950))
            let mixed = try await store.save(level(.none, grants: [GrantAssignment(pro)], asOf: 920))
            #expect(mixed.state.level.level == .premiumUser)
            #expect(try await names(store) == ["pro"])
            await #expect(throws: UserStateWriteError.superseded(by: mixed.state)) {
                try await store.save(level(.none, grants: [], asOf: 919))
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a deletion takes the grants along, and late ones stay away`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let ada = try StoreFixture.id("ada")
            _ = try await store.save(level(asOf: 100))
            _ = try await store.save(grant(Self.pro, asOf: 200))
            #expect(try await store.remove(deletion(asOf: 300)))
            #expect(try await store.state(of: ada) == nil)
            #expect(try await store.access(of: ada) == nil)
            #expect(try await store.history(of: ada).last?.access == nil)
            await #expect(throws: UserStateWriteError.superseded(by: nil)) {
                try await store.save(grant(Self.pro, asOf: 299))
            }
            // Once the user is there again, too.
            let again = try await store.save(level(asOf: 400))
            #expect(again.isNew && again.state.version == 4)
            await #expect(throws: UserStateWriteError.superseded(by: again.state)) {
                try await store.save(grant(Self.kyc, asOf: 299))
            }
            #expect(try await store.save(grant(Self.kyc, asOf: 301)).isHeld)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a deletion of an earlier moment leaves later grants without a level`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let ada = try StoreFixture.id("ada")
            _ = try await store.save(level(asOf: 100))
            _ = try await store.save(grant(Self.kyc, asOf: 150))
            _ = try await store.save(grant(Self.pro, asOf: 300))
            #expect(try await store.remove(deletion(asOf: 200)))
            let left = try #require(try await store.state(of: ada))
            #expect(left.access.level == nil && left.access.grants.map(\.name) == [Self.pro])
            await #expect(throws: UserStateWriteError.superseded(by: left)) {
                try await store.save(level(.premiumUser, asOf: 199))
            }
            #expect(try await store.save(level(.premiumUser, asOf: 201, if: .absent)).isNew)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure forgets grants, and keeps the order`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let ada = try StoreFixture.id("ada")
            _ = try await store.save(grant(Self.pro, asOf: 5000))
            #expect(try await store.remove(deletion(at: 2000, erases: true)))
            #expect(try await store.state(of: ada) == nil)
            #expect(try await store.history(of: ada).isEmpty)
            await #expect(throws: UserStateWriteError.superseded(by: nil)) {
                try await store.save(grant(Self.pro, asOf: 4999, at: 6000))
            }
            #expect(try await store.save(grant(Self.pro, asOf: 5000, at: 6000)).state?.version == 2)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `users are counted by the grants that count at the moment`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            _ = try await store.save(level(.premiumUser))
            _ = try await store.save(grant(Self.pro, until: 5000))
            _ = try await store.save(grant(Self.kyc))
            _ = try await store.save(grant(Self.pro, to: "bob"))
            _ = try await store.save(grant(Self.pro, to: "eve", until: 4000))
            _ = try await store.save(removal(Self.pro, of: "bob"))
            func groups(_ now: Int64) async throws -> [String] {
                try await store.accessCounts(at: Self.time(now)).groups
                    .map { "\($0.value) \($0.key.level.level.text) \($0.key.grants.map(\.text))" }.sorted()
            }
            #expect(
                try await groups(1000) == [
                    #"1 none ["pro"]"#, "1 none []", #"1 premiumUser ["kyc", "pro"]"#,
                ]
            )
            #expect(try await groups(5001) == [#"1 premiumUser ["kyc"]"#, "2 none []"])
            let counts = try await store.accessCounts(at: Self.time(1000))
            #expect(counts.unknownGrants { $0 == Self.kyc }.map(\.count) == [2])
            #expect(counts.unknownGrants { $0 == Self.kyc }.map(\.name) == [Self.pro])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a request that is sent again gets the same answer`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let ada = try StoreFixture.id("ada")
            let request = KeyedRequest(
                caller: "test",
                method: "PUT",
                path: "/v1/users/ada/grants/pro",
                key: "k",
                digest: [UInt8](repeating: 1, count: KeyedRequest.digestByteCount),
                user: ada,
                time: Self.time(1000)
            )
            let answer = StoredResponse(digest: request.digest, status: 201, tag: "\"1\"", body: [1])
            let write = GrantWrite(
                id: ada,
                name: try #require(Self.pro),
                change: .hold(until: nil),
                time: Self.time(1000),
                author: "test",
                storing: ResponseStoring(request) { _ in answer }
            )
            _ = try await store.save(write)
            await #expect(throws: UserStateWriteError.answered(answer)) { try await store.save(write) }
            #expect(try await store.answer(to: request) == answer)
            #expect(try await store.state(of: ada)?.version == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `many grants are bounded, and the removed ones give way first`(_ kind: StoreKind) async throws {
        try await with(kind) { store in
            let count = UserRecord.maximumGrantCount
            for number in 0..<count {
                _ = try await store.save(grant(GrantName("former-\(number)"), asOf: Int64(number)))
                if number < 10 { _ = try await store.save(removal(GrantName("former-\(number)"), asOf: Int64(number))) }
            }
            for number in 0..<10 { _ = try await store.save(grant(GrantName("new-\(number)"), asOf: 900)) }
            let state = try #require(try await store.state(of: StoreFixture.id("ada")))
            #expect(state.access.grants.count == count && state.timestamps.each.count <= count)
            // The moments of the removed grants are now those of all.
            await #expect(throws: UserStateWriteError.superseded(by: state)) {
                try await store.save(grant(GrantName("former-3"), asOf: 2))
            }
            _ = try await store.save(grant(GrantName("new-11"), asOf: 901))
            let full = try #require(try await store.state(of: StoreFixture.id("ada")))
            #expect(full.access.grants.count == count)
            #expect(!full.access.grants.contains { $0.name.text == "former-10" })
        }
    }
}
