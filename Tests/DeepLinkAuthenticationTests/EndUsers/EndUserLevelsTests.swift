import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct EndUserLevelsTests {
    private static let levels: [ByteText: LevelName] = [
        "basic": .signedInUser, "gold": .premiumUser, "7": .premiumUser, "true": .signedInUser, "é": .premiumUser,
    ]

    /// Claims, the name that is looked for, and the level that they give.
    private static let cases: [(json: String, name: String, level: AuthorizationLevel)] = [
        (#"{"plan":"gold"}"#, "plan", .premiumUser),
        (#"{"plan":"Gold"}"#, "plan", .none),
        (#"{"plan":"e\u0301"}"#, "plan", .none),
        (#"{"plan":7}"#, "plan", .premiumUser),
        (#"{"plan":7.5}"#, "plan", .none),
        (#"{"plan":true}"#, "plan", .signedInUser),
        (#"{"plan":null}"#, "plan", .none),
        (#"{"plan":{"gold":"gold"}}"#, "plan", .none),
        (#"{"roles":["x","basic","gold","basic"]}"#, "roles", .premiumUser),
        (#"{"roles":[]}"#, "roles", .none),
        (#"{"roles":[["gold"]]}"#, "roles", .none),
        (#"{"roles":[[["gold"]],"basic"]}"#, "roles", .signedInUser),
        (#"{"roles":[{"gold":"gold"}]}"#, "roles", .none),
        (#"{"app":{"plan":{"name":"basic"}}}"#, "app.plan.name", .signedInUser),
        (#"{"app":{"plan":"basic"}}"#, "app.plan.name", .none),
        (#"{"app.plan":"gold","app":{"plan":"basic"}}"#, "app.plan", .premiumUser),
        (#"{"https://example.com/plan":"gold"}"#, "https://example.com/plan", .premiumUser),
        (#"{"https://example.com/app":{"plan":"gold"}}"#, "https://example.com/app.plan", .premiumUser),
        (#"{"plan":"gold"}"#, "plan.", .none),
        (#"{}"#, ".", .none),
    ]

    @Test(arguments: cases) func `a claim gives the level of its value`(
        _ json: String,
        _ name: String,
        _ level: AuthorizationLevel
    ) throws {
        guard case .object(let claims) = try JSONParser.parse(Array(json.utf8)) else { return }
        #expect(EndUserLevels(claim: name, levels: Self.levels).level(claims) == level)
        let least = EndUserLevels(minimum: .signedInUser, claim: name, levels: Self.levels)
        #expect(least.level(claims) == max(level, .signedInUser))
    }

    @Test(arguments: [
        (#"{"roles":["pro","kyc","pro"]}"#, ["pro", "kyc"], ["kyc"]), (#"{"roles":"x"}"#, ["x"], []),
        (#"{"roles":["", "a b", "9", null, 7, {"x":"y"}, ["pro"]]}"#, [], []), (#"{"other":["pro"]}"#, [], []),
    ])
    func `a claim gives grants by name, or by the words that are mapped`(
        _ json: String,
        _ byName: [String],
        _ byWord: [String]
    ) throws {
        guard case .object(let claims) = try JSONParser.parse(Array(json.utf8)) else { return }
        #expect(EndUserGrants(claim: "roles").names(claims).map(\.text) == byName)
        let words: [ByteText: GrantName] = ["pro": try #require(GrantName("kyc"))]
        #expect(EndUserGrants(claim: "roles", byWord: words).names(claims).map(\.text) == byWord)
        #expect(EndUserGrants().names(claims).isEmpty)
    }

    @Test func `without a claim, every token gives the least level`() {
        #expect(EndUserLevels().level(["plan": .string("gold")]) == .none)
        #expect(EndUserLevels(minimum: .premiumUser).level([:]) == .premiumUser)
    }
}

extension EndUserLevels {
    /// Returns the standard level that claims give.
    fileprivate func level(_ claims: JSONObject) -> AuthorizationLevel {
        names(claims).compactMap(LevelLadder.standard.level(stored:)).max() ?? .none
    }
}
