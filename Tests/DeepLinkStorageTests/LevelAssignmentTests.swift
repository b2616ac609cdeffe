import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@Suite struct LevelAssignmentTests {
    private let end = Timestamp(millisecondsSinceEpoch: 1_000)
    private let later = Timestamp(millisecondsSinceEpoch: 1_001)

    @Test func `a level without an end stays`() {
        #expect(LevelAssignment(level: .premiumUser)?.level(at: later) == .premiumUser)
    }

    @Test func `after its end a level falls by one`() {
        let grant = LevelAssignment(level: .premiumUser, validUntil: end)
        #expect(grant?.level(at: end) == .premiumUser)
        #expect(grant?.level(at: later) == .signedInUser)
        #expect(LevelAssignment(level: .none, validUntil: end)?.level(at: later) == AuthorizationLevel.none)
    }

    @Test func `after its end a level falls to the one that was named`() {
        #expect(
            LevelAssignment(level: .premiumUser, validUntil: end, levelAfter: AuthorizationLevel.none)?.level(at: later)
                == AuthorizationLevel.none
        )
    }

    @Test func `a level cannot rise by ending`() {
        #expect(LevelAssignment(level: .signedInUser, validUntil: end, levelAfter: .premiumUser) == nil)
    }

    @Test(arguments: [("", false), ("a", true), ("é\u{1F600} x", true), ("a\u{0}", false), ("a\u{85}", false)])
    func `an id is text without control characters`(_ text: String, _ isID: Bool) {
        #expect((UserID(text) != nil) == isID)
    }

    @Test func `an id has at most 256 bytes and is compared by them`() {
        #expect(UserID(String(repeating: "é", count: 128)) != nil)
        #expect(UserID(String(repeating: "é", count: 128) + "a") == nil)
        #expect(UserID("caf\u{e9}") != UserID("cafe\u{301}"))
    }
}
