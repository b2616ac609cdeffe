import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// The contents of a database that each step of the schema was at work with: users, tokens and the rest, as the version
/// of that step wrote them.
///
/// A step that says nothing else here writes users as the step before did, so that a new step is covered by itself.
struct SchemaStepContents {
    /// The steps from which on a schema has more than users and their history.
    struct Beginnings {
        let continuations: Int
        let tokens: Int
        let erasedUsers: Int
        let grants: Int
        let counts: Int
    }

    /// A user that the version of a step wrote.
    struct User {
        let name: String

        /// The ranks of the levels of both changes; `nil` for a deletion.
        let ranks: [UInt8?]

        /// The end of the last level, in milliseconds since 1970, and the rank after it.
        var end: Int64?
        var rankAfter: UInt8?

        /// The grants, as they are stored.
        var grants: String?

        /// The level that the last change is to leave; `nil` after a deletion.
        var level: LevelAssignment? {
            guard let rank = ranks.last ?? nil else { return nil }
            return LevelAssignment(
                level: AuthorizationLevel(rank: rank),
                validUntil: end.map(Timestamp.init(millisecondsSinceEpoch:)),
                levelAfter: rankAfter.map(AuthorizationLevel.init(rank:))
            )
        }
    }

    /// The last step at work.
    let lastStep: Int

    let beginnings: Beginnings

    /// Returns the users that the version of a step wrote.
    func users(of step: Int) -> [User] {
        [
            User(name: "\(step)-plain", ranks: [0, 3]),
            User(name: "\(step)-ending", ranks: [1, 2], end: 4_000_000_000_000),
            User(name: "\(step)-followed", ranks: [2, 3], end: 4_000_000_000_000, rankAfter: 1),
            User(name: "\(step)-deleted", ranks: [2, nil]),
        ] + (step >= beginnings.grants ? [User(name: "\(step)-granted", ranks: [0, 2], grants: "kyc+ pro+")] : [])
    }

    /// The user whom the version of a step erased, after three changes.
    static func erasedUser(of step: Int) throws -> UserID { try StoreFixture.id("\(step)-erased") }

    /// The text of the id of a token that the version of a step made.
    static func tokenID(of step: Int) -> String { "o6l91m0txll" + String(step, radix: 36) }

    /// The text of the id of a continuation that was granted in the time of a step.
    static func continuationID(of step: Int) -> String {
        String(repeating: "0", count: 30) + String(0x100 + step, radix: 16).suffix(2)
    }

    /// The user whom that continuation was granted, and its end, in milliseconds since 1970.
    static let redemption = (user: "redeemer", end: Int64(4_000_000_000_000))

    /// The number of uses counted in the time of a step, on the first day of 1970.
    static let useCount = 7

    /// Expects a store to have these contents, and to go on with them.
    func expect(in store: any OpenStore) async throws {
        let time = Timestamp(millisecondsSinceEpoch: 5_000_000_000_000)
        for step in 1...lastStep {
            for user in users(of: step) {
                let id = try StoreFixture.id(user.name)
                let (state, level) = (try await store.state(of: id), user.level)
                #expect(state?.level == level && (state?.version ?? 2) == 2, "\(user.name)")
                #expect(state?.access.grants.count == level.map { _ in user.grants == nil ? 0 : 2 }, "\(user.name)")
                let history = try await store.history(of: id, after: 0, limit: 9)
                #expect(history.map(\.version) == [1, 2], "\(user.name)")
                #expect(history.last?.level == level, "\(user.name)")
                let write = UserStateWrite(
                    id: id,
                    level: try #require(LevelAssignment(level: .onboardingCompleted, validUntil: nil)),
                    time: time,
                    author: "test"
                )
                #expect(try await store.save(write).state.version == 3, "\(user.name)")
            }
            if step >= beginnings.erasedUsers {
                let id = try Self.erasedUser(of: step)
                #expect(try await store.state(of: id) == nil)
                #expect(try await store.save(StoreFixture.write(id.text)).state.version == 4, "\(id.text)")
            }
            if step >= beginnings.continuations {
                let id = try #require(ContinuationID(Self.continuationID(of: step)))
                let end = Timestamp(millisecondsSinceEpoch: Self.redemption.end)
                let now = Timestamp(millisecondsSinceEpoch: 1)
                for (name, storedState) in [(Self.redemption.user, RedemptionState.granted), ("other", .spent)] {
                    let user = try StoreFixture.id(name)
                    #expect(try await store.bind(id, to: user, until: end, at: now) == storedState, "\(step)")
                }
            }
        }
        let tokens = try await store.serviceTokens().map(\.id.text)
        #expect(Set(tokens) == Set((1...lastStep).filter { $0 >= beginnings.tokens }.map(Self.tokenID)))
        let day = CountedDay(number: 0)
        let counts = try await store.counts(CountQuery(.days(day...day, by: [.day]), limit: 9))
        let countedSteps = max(0, lastStep - beginnings.counts + 1)
        #expect(counts.first?.counts[.opened] ?? 0 == countedSteps * Self.useCount)
        #expect(try await store.accessCounts(at: time).groups.values.reduce(0, +) == storedUserCount)
    }

    /// The users that are stored once ``expect(in:)`` has written to each, those who were deleted and erased included.
    private var storedUserCount: Int {
        (1...lastStep).map { users(of: $0).count + ($0 >= beginnings.erasedUsers ? 1 : 0) }.reduce(0, +)
    }
}
