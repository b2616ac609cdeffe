import DeepLinkCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkStorage

/// Tests of the column with a user's grants.
@Suite struct GrantsCodingTests {
    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private static func grant(_ name: String, until end: Int64? = nil) throws -> GrantAssignment {
        GrantAssignment(try #require(GrantName(name)), validUntil: end.map(time))
    }

    @Test func `a user without grants has no text`() throws {
        let access = try #require(UserAccess(level: .premiumUser))
        #expect(GrantsCoding.text(of: access, AccessTimestamps(level: Self.time(1))) == nil)
        let contents = try #require(GrantsCoding.contents(nil))
        #expect(contents.held.isEmpty && contents.access(.unwritten).level == .unwritten)
    }

    @Test func `the text is one line in the order of the names`() throws {
        let (kyc, gone) = (try #require(GrantName("kyc")), try #require(GrantName("gone")))
        let access = UserAccess(level: nil, grants: [try Self.grant("pro"), try Self.grant("kyc", until: 9)])
        let timestamps = AccessTimestamps(grants: Self.time(-3), each: [kyc: Self.time(5), gone: Self.time(4)])
        let text = try #require(GrantsCoding.text(of: access, timestamps))
        #expect(text == "! @-3 gone@4 kyc@5+9 pro+")
        #expect(GrantsCoding.text(of: access.grants) == "kyc+9 pro+")
    }

    @Test func `every text is read back as it was written`() throws {
        var generator = SeededGenerator(seed: 29)
        let names = try ["a", "b", "B-1", "c_2", "d"].map { try #require(GrantName($0)) }
        for _ in 0..<2000 {
            var access = UserAccess(level: generator.oneIn(2) ? nil : LevelAssignment(level: .premiumUser))
            var timestamps = AccessTimestamps(
                grants: generator.oneIn(2) ? Self.time(generator.pick([.min, 0, 7])) : nil
            )
            for name in names {
                if generator.oneIn(2) { timestamps.set(Self.time(generator.pick([.min, -1, 8, .max])), of: name) }
                guard generator.oneIn(2) else { continue }
                let end = generator.oneIn(2) ? Self.time(generator.pick([.min, 0, .max])) : nil
                access.hold(GrantAssignment(name, validUntil: end))
            }
            let text = GrantsCoding.text(of: access, timestamps)
            let contents = try #require(GrantsCoding.contents(text), "\(text ?? "")")
            #expect(contents.access(access.level ?? .unwritten) == access, "\(text ?? "")")
            #expect(contents.timestamps(level: nil) == timestamps, "\(text ?? "")")
        }
    }

    @Test(
        arguments: [
            "", " ", "pro", "pro+ ", " pro+", "pro+  kyc+", "pro+ kyc+", "pro+ pro+", "pro@", "pro@x+", "pro+1x",
            "pro+01",
            "@", "@1+", "@1 @2", "pro+ @1", "pro+ !", "! !", "1pro+", "pro@1@2", "pro+9223372036854775808", "é+",
            String(repeating: "a", count: 65) + "+", "pro++", "+5",
        ]
    )
    func `another text is damage`(_ text: String) {
        #expect(GrantsCoding.contents(text) == nil)
    }

    @Test func `a text that is too long is not read`() {
        let long = (0..<5000).map { "n\(10_000 + $0)+" }.joined(separator: " ")
        #expect(long.utf8.count > GrantsCoding.maximumByteCount && GrantsCoding.contents(long) == nil)
    }

    @Test func `a level that isn't the lowest was written, whatever the column says`() throws {
        let contents = try #require(GrantsCoding.contents("! pro+"))
        let level = try #require(LevelAssignment(level: .premiumUser))
        #expect(contents.access(level).level == level)
        #expect(contents.access(.unwritten).level == nil)
    }
}
