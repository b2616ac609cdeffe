import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkFormats

/// Tests of the bodies that requests bring, and those that answer them.
@Suite struct BodyTests {
    private static let now = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    /// The refusal of a body with the keys of a user; `nil` if it is read.
    private static func refusal(of text: String) -> InvalidRequest? {
        do throws(Problem) {
            _ = try UserStateLine(Array(text.utf8), at: now, names: .standard)
            return nil
        } catch {
            return InvalidRequest(error)
        }
    }

    private static func text(_ body: some WireBody) -> String { String(decoding: body.json, as: UTF8.self) }

    // MARK: Requests

    @Test func `the values of a body are read by their types`() throws {
        let keys = ["text", "flag", "any", "none"]
        let body = try JSONObjectBody(Array(#"{"text":"a","flag":false,"any":[1]}"#.utf8), keys: keys)
        #expect(try body.string("text") == "a")
        #expect(try body.requiredString("text") == "a")
        #expect(try body.bool("flag") == false)
        #expect(body["any"] == .array([.integer(1)]))
        #expect(try body.string("none") == nil && body.bool("none") == nil && body.timestamp("none") == nil)
        #expect(JSONObjectBody.empty["text"] == nil)
    }

    @Test(arguments: [
        ("", "body", "missing", "The body is empty; send a JSON object."),
        ("{", "body", "malformed", "The body is not JSON: at byte 1, a key is expected here."),
        ("[]", "body", "wrong-type", "The body is an array; send a JSON object."),
        ("null", "body", "wrong-type", "The body is null; send a JSON object."),
        (#"{"atr":"u"}"#, "atr", "unknown", "`atr` isn't a key here; did you mean `at`?"),
        (
            #"{"zzzzzzzz":1}"#, "zzzzzzzz", "unknown",
            "`zzzzzzzz` isn't a key here; there are authorizationLevel, validUntil, levelAfter, grants, at, id, currentLevel, version, "
                + "updatedAt."
        ),
        (#"{"authorizationLevel":"none"}"#, "id", "missing", "The body has no `id`."),
        (#"{"id":7}"#, "id", "wrong-type", "`id` is a number; send a string."),
        (#"{"id":null}"#, "id", "wrong-type", "`id` is null; send a string."),
        (#"{"id":true}"#, "id", "wrong-type", "`id` is a truth value; send a string."),
        (#"{"id":"u"}"#, "authorizationLevel", "missing", "The body has no `authorizationLevel`."),
        (
            #"{"id":"u","authorizationLevel":"None"}"#, "authorizationLevel", "invalid-value",
            "`None` isn't an authorization level; there are none, onboardingCompleted, signedInUser, premiumUser."
        ),
        (
            #"{"id":"u","authorizationLevel":"none","validUntil":"2027-01-01"}"#, "validUntil", "invalid-value",
            "`2027-01-01` isn't an RFC 3339 date-time, such as 2027-01-01T00:00:00Z."
        ),
        (
            #"{"id":"u","authorizationLevel":"none","validUntil":"2027-01-01T00:00:00Z","levelAfter":"premiumUser"}"#,
            "levelAfter", "invalid-value",
            "`levelAfter` is higher than `authorizationLevel`; a level can only fall when it ends."
        ),
        (
            #"{"id":"u","authorizationLevel":"none","at":"2026-11-18T12:06:40Z"}"#, "at", "invalid-value",
            "`at` is 2026-11-18T12:06:40Z, more than 5 minutes ahead; here it is 2026-11-18T11:06:40Z."
        ),
    ])
    func `a body is refused by its first fault`(_ text: String, _ field: String, _ reason: String, _ detail: String) {
        #expect(Self.refusal(of: text) == InvalidRequest(field, reason, detail))
    }

    @Test func `a line says whose level, which, how long, and as of when`() throws {
        let text =
            #"{"version":3,"id":"ada","authorizationLevel":"premiumUser","validUntil":"2027-01-01T00:00:00Z","#
            + #""levelAfter":"signedInUser","at":"2026-11-18T11:06:39Z"}"#
        let line = try UserStateLine(Array(text.utf8), at: Self.now, names: .standard)
        #expect(line.id.text == "ada")
        #expect(line.level.level == .premiumUser && line.level.levelAfter == .signedInUser)
        #expect(line.level.validUntil?.rfc3339 == "2027-01-01T00:00:00Z")
        #expect(line.asOf?.rfc3339 == "2026-11-18T11:06:39Z")
    }

    @Test(arguments: [(10_000, true), (10_001, false)])
    func `a long body has 10,000 values at most`(_ count: Int, _ isTaken: Bool) throws {
        // The object is a value too, and its array another.
        let text = "{\"a\":[\(String(repeating: "0,", count: count - 3))0]}" + String(repeating: " ", count: 128 * 1024)
        let short = Array("{\"a\":[\(String(repeating: "0,", count: count - 3))0]}".utf8)
        #expect(throws: Never.self) { try JSONObjectBody(short, keys: ["a"]) }
        #expect(((try? JSONObjectBody(Array(text.utf8), keys: ["a"])) != nil) == isTaken)
    }

    // MARK: Answers

    @Test func `a user is shown with the level that counts`() throws {
        let end = try #require(Timestamp(rfc3339: "2026-11-18T11:06:40Z"))
        let grant = try #require(LevelAssignment(level: .premiumUser, validUntil: end, levelAfter: .signedInUser))
        let id = try #require(UserID("ada"))
        let state = UserState(id: id, level: grant, version: 7, updatedAt: Timestamp(millisecondsSinceEpoch: 1_500))
        func shown(_ level: String, _ rest: String = "") -> String {
            #"{"id":"ada","authorizationLevel":"premiumUser","validUntil":"2026-11-18T11:06:40Z","levelAfter":"signedInUser","#
                + #""currentLevel":"\#(level)","version":7,"updatedAt":"\#(state.updatedAt.rfc3339)"\#(rest)}"#
        }
        let after = Timestamp(millisecondsSinceEpoch: end.millisecondsSinceEpoch + 1)
        #expect(Self.text(UserBody(state, at: end, names: .standard)) == shown("premiumUser"))
        #expect(Self.text(UserBody(state, at: after, names: .standard)) == shown("signedInUser"))
        let late = UserBody(state, at: after, isApplied: false, names: .standard)
        #expect(Self.text(late) == shown("signedInUser", #","applied":false"#))
        #expect(Self.text(NoUserBody(id, levels: .standard)) == #"{"id":"ada","currentLevel":"none","applied":false}"#)
    }

    @Test func `health names what does not work, and leaves out what nobody asked`() {
        #expect(Self.text(HealthBody(status: "ok")) == #"{"status":"ok"}"#)
        #expect(
            Self.text(
                HealthBody(
                    status: "ready",
                    version: "1",
                    catalogVersion: "c",
                    catalogRefusal: "r",
                    degraded: ["database", "keys"]
                )
            )
                == #"{"status":"ready","version":"1","catalogVersion":"c","catalogRefusal":"r","degraded":["database","keys"]}"#
        )
        #expect(Self.text(LinkBody(link: "a:/\"b\"")) == #"{"link":"a:/\"b\""}"#)
    }
}
