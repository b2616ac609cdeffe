import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of stored names under ladders that change.
@Suite struct LevelLadderTests {
    private static let end = Timestamp(millisecondsSinceEpoch: 1)
    private static let later = Timestamp(millisecondsSinceEpoch: 2)

    private func ladder(_ names: String..., was former: (String, UInt8)...) -> LevelLadder {
        LevelLadder(
            names.compactMap(LevelName.init),
            formerNames: former.compactMap { name, rank in
                LevelName(name).map { ($0, AuthorizationLevel(rank: rank)) }
            }
        )
    }

    private func grant(_ level: String, after: String? = nil, implied: String? = nil) throws -> LevelAssignment {
        LevelAssignment(
            of: try #require(LevelName(level)),
            validUntil: Self.end,
            levelAfter: after.flatMap(LevelName.init),
            impliedLevelAfter: implied.flatMap(LevelName.init)
        )
    }

    @Test(arguments: ["", "1a", "-a", "é", "a b", "a.b", String(repeating: "a", count: 65), "a\u{200B}"])
    func `a name has the form of an identifier`(_ text: String) {
        #expect(LevelName(text) == nil)
    }

    @Test func `names are compared as bytes`() {
        #expect(LevelName("Member") != LevelName("member"))
        #expect(LevelName("a-B_9")?.text == "a-B_9")
        #expect(LevelName(String(repeating: "a", count: 64)) != nil)
    }

    @Test func `a name that the ladder lacks is the lowest level, and none is the first`() throws {
        let ladder = ladder("guest", "member", "top")
        #expect(try grant("signedInUser").level(at: Self.end, in: ladder) == .lowest)
        #expect(ladder.level(stored: LevelName.none) == .lowest)
        #expect(ladder.level(named: LevelName.none) == nil)
        #expect(ladder.presentName(of: .none).text == "guest")
        #expect(ladder.presentName(of: .signedInUser) == .signedInUser)
    }

    @Test func `a former name is read as the present one`() throws {
        let ladder = ladder("guest", "member", "top", was: ("customer", 1), ("signedInUser", 2))
        #expect(try grant("customer").level(at: Self.end, in: ladder).rank == 1)
        #expect(ladder.presentName(of: .signedInUser).text == "top")
    }

    @Test func `a rung that is put in between raises nobody`() throws {
        let (old, new) = (ladder("guest", "member"), ladder("guest", "trial", "member"))
        for level in old.all {
            let grant = try #require(old.heldLevel(of: level, validUntil: Self.end))
            #expect(new.name(of: grant.level(at: Self.end, in: new)) == old.name(of: level))
            // Fixed when it was written, and not shown.
            #expect(grant.levelAfter == nil)
            #expect(grant.level(at: Self.later, in: new) == .lowest)
        }
    }

    @Test func `a level after the end never counts for more than the level`() throws {
        let (old, new) = (ladder("guest", "member", "top"), ladder("guest", "top", "member"))
        let grant = try #require(
            old.heldLevel(of: old.highest, validUntil: Self.end, levelAfter: AuthorizationLevel(rank: 1))
        )
        #expect(new.text(of: grant.level(at: Self.later, in: new)) == "top")
        #expect(try self.grant("gone", after: "member").level(at: Self.later, in: new) == .lowest)
    }

    @Test func `names that levels were given are read, and move no name that the ladder has`() throws {
        let ladder = ladder("guest", "member", "top", was: ("customer", 1))
        func rename(_ old: String, _ new: String) throws -> LevelRename {
            LevelRename(try #require(LevelName(old)), to: try #require(LevelName(new)))
        }
        let read = ladder.reading([
            try rename("patron", "sponsor"), try rename("customer", "client"), try rename("top", "patron"),
            // The ladder has the new name, or lacks both.
            try rename("top", "member"), try rename("gone", "lost"),
        ])
        #expect(["client", "patron", "sponsor"].map { read.level(named: $0)?.rank } == [1, 2, 2])
        #expect(read.level(named: "member")?.rank == 1 && read.level(named: "lost") == nil)
        #expect(read.names == ladder.names && read.presentName(of: LevelName("sponsor") ?? .none).text == "top")
        #expect(ladder.reading([try rename("top", "member")]) === ladder)
        // Names that follow one another in a circle end.
        #expect(
            ladder.reading([try rename("top", "a"), try rename("a", "b"), try rename("b", "a")]).formerNames.count == 3
        )
    }

    @Test func `two ladders meet in the levels of the same users`() {
        let (old, new) = (ladder("guest", "member", "top"), ladder("guest", "trial", "gold", was: ("top", 2)))
        let pairs = old.pairs(with: new).map { "\($0.old.rank)>\($0.new.rank)" }
        #expect(pairs == ["0>0", "1>0", "2>2", "0>1"])
        #expect(LevelLadder.standard.pairs(with: .standard).allSatisfy { $0.old == $0.new })
    }
}
