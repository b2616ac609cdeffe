import DeepLinkCatalog
import DeepLinkClientCode
import DeepLinkCore
import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

/// Checks the code of a catalog's own levels and grants.
@Suite struct GeneratedLevelsTests {
    private func catalog(levels: String) throws -> RouteCatalog {
        let text = """
            version: 1
            origins: [{ scheme: club }]
            \(levels)
            entry: { home: root }
            routes: { home: { path: home } }
            """
        return try CatalogLoader.load(Array(text.utf8), file: "club.yaml")
    }

    private func code(_ language: ClientLanguage, levels: String, renames: [ByteText: String] = [:]) throws -> String {
        let options = GenerationOptions(
            name: "ClubRoute",
            imports: language == .swift ? ["WaymarkRuntime"] : [],
            renames: renames,
            generatorVersion: "0"
        )
        return try language.code(for: try catalog(levels: levels), options).file.text
    }

    private let levels = "levels: [guest, { name: member, was: customer }, board-member]"

    private let grants = "grants: [pro, { name: unlocked, from: app }]"

    /// With `WAYMARK_RECORD=1`, the file that this target compiles is written again.
    @Test func `the levels and grants of a catalog are types beside its routes`() throws {
        let path = "Tests/DeepLinkClientCodeTests/ClubRoute.swift"
        let text = try code(.swift, levels: levels + "\n" + grants)
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try Data(text.utf8).write(to: URL(fileURLWithPath: Checkout.path(path)))
        }
        #expect(String(decoding: try Checkout.bytes(path), as: UTF8.self) == text)
    }

    @Test func `a catalog that declares no levels has the code that it had`() throws {
        for language in ClientLanguage.allCases {
            let plain = try code(language, levels: "plusIsSpace: false")
            #expect(!plain.contains("ClubLevel") && !plain.contains("ClubGrant"))
            for declared in [levels, grants, levels + "\n" + grants] {
                // Only its header, which names the catalog, is another.
                let own = try code(language, levels: declared)
                let version = try catalog(levels: "plusIsSpace: false").version
                #expect(own.replacing(try catalog(levels: declared).version, with: version).hasPrefix(plain))
                #expect(own.contains("ClubLevel") == declared.contains("levels"))
                #expect(own.contains("ClubGrant") == declared.contains("grants"))
            }
        }
    }

    @Test func `levels are in the order of the catalog`() {
        #expect(ClubLevel.allCases.map(\.rawValue) == ["guest", "member", "board-member"])
        for (place, level) in ClubLevel.allCases.enumerated() {
            for (other, next) in ClubLevel.allCases.enumerated() { #expect((level < next) == (place < other)) }
        }
        #expect(ClubLevel.allCases.shuffled().sorted() == ClubLevel.allCases)
    }

    @Test func `plans, denials and gates have levels, and the names of those that the app does not know`() throws {
        func plan(_ level: String) throws -> WaymarkRuntime.RoutePlan<ClubRoute> {
            let text =
                #"{"link":"club:/","authorizationLevel":{"required":"guest","user":"\#(level)"},"stack":[],"#
                + #""catalogVersion":"f"}"#
            return try JSONDecoder().decode(WaymarkRuntime.RoutePlan<ClubRoute>.self, from: Data(text.utf8))
        }
        let known = try plan("board-member")
        #expect(known.requiredClubLevel == .guest && known.userClubLevel == .boardMember)
        let newer = try plan("patron")
        #expect(newer.requiredClubLevel == .guest && newer.userClubLevel == nil)
        #expect(newer.authorizationLevel?.user == "patron")

        let text = #"""
            {"route":"vault","requiredLevel":"patron","userLevel":"guest","continuation":"t",
            "gate":{"level":"member","link":"club:/login","stack":[]}}
            """#
        let denial = try JSONDecoder().decode(WaymarkDenial<ClubRoute>.self, from: Data(text.utf8))
        #expect(denial.requiredClubLevel == nil && denial.requiredLevel == "patron")
        #expect(denial.userClubLevel == .guest)
        #expect(denial.gate?.clubLevel == .member)
    }

    @Test func `grants are those that the app knows, and the names of all`() throws {
        let text = #"""
            {"link":"club:/","authorizationLevel":{"required":"guest","user":"guest"},
            "grants":{"required":["pro","patron"]},"stack":[],"catalogVersion":"f"}
            """#
        let plan = try JSONDecoder().decode(WaymarkRuntime.RoutePlan<ClubRoute>.self, from: Data(text.utf8))
        #expect(plan.requiredClubGrants == [.pro] && plan.grants?.required == ["pro", "patron"])
        func denial(_ gate: String) throws -> WaymarkRuntime.WaymarkDenial<ClubRoute> {
            let text =
                #"{"route":"vault","requiredLevel":"guest","userLevel":"guest","missing":["patron","unlocked"],"gate":{"#
                + gate + #","link":"club:/pin","stack":[]}}"#
            return try JSONDecoder().decode(WaymarkRuntime.WaymarkDenial<ClubRoute>.self, from: Data(text.utf8))
        }
        let known = try denial(#""grant":"unlocked""#)
        #expect(known.missingClubGrants == [.unlocked] && known.missing == ["patron", "unlocked"])
        #expect(known.gate?.clubGrant == .unlocked && known.gate?.clubLevel == nil && known.gate?.level == nil)
        let newer = try denial(#""grant":"patron""#)
        #expect(newer.gate?.clubGrant == nil && newer.gate?.grant == "patron")
    }

    /// A transport that keeps the fields of its request, and answers with the denial for a grant.
    private actor Recorder: WaymarkTransport {
        private(set) var fields: [String: String] = [:]

        func send(_ request: WaymarkRequest) -> WaymarkResponse {
            fields = request.fields
            let problem = #"""
                {"type":"urn:waymark:problem:missing-grant","route":"home","requiredLevel":"guest","userLevel":"guest",
                "missing":["pro"],"gate":{"grant":"pro","link":"club:/plans","stack":[]},"continuation":"t"}
                """#
            return WaymarkResponse(status: 403, body: Data(problem.utf8))
        }
    }

    @Test func `the client asserts what the device knows, and reads a missing grant as a denial`() async throws {
        let server = try #require(URL(string: "http://127.0.0.1"))
        let recorder = Recorder()
        let client = WaymarkClient<ClubRoute>(server: server, holds: { ["unlocked", "seen"] }, transport: recorder)
        guard case .denied(let denial) = try await client.resolve("club:/home") else {
            Issue.record("no denial")
            return
        }
        #expect(denial.missingClubGrants == [.pro] && denial.continuation == "t")
        #expect(await recorder.fields["Waymark-Holds"] == "unlocked, seen")
        _ = try await WaymarkClient<ClubRoute>(server: server, transport: recorder).redeem("t")
        #expect(await recorder.fields["Waymark-Holds"] == nil)
    }

    @Test func `Kotlin and TypeScript have them too`() throws {
        let kotlin = try code(.kotlin, levels: levels)
        #expect(
            kotlin.contains(
                """
                enum class ClubLevel(override val word: String) : WaymarkWord {
                    GUEST("guest"),
                    MEMBER("member"),
                    BOARD_MEMBER("board-member");

                """
            )
        )
        #expect(
            kotlin.contains("val WaymarkDenial<ClubRoute>.userClubLevel: ClubLevel? get() = ClubLevel.of(userLevel)\n")
        )
        let typescript = try code(.typescript, levels: levels)
        #expect(
            typescript.contains(
                """
                export const clubLevels = [
                    "guest",
                    "member",
                    "board-member",
                ] as const;
                """
            )
        )
        #expect(typescript.contains("export type ClubLevel = (typeof clubLevels)[number];\n"))
        let granted = try code(.kotlin, levels: grants)
        let property = "val WaymarkDenial.Gate<ClubRoute>.clubGrant: ClubGrant?"
        #expect(granted.contains("\(property) get() = ClubGrant.of(grant)\n"))
        #expect(
            try code(.typescript, levels: grants).contains("export type ClubGrant = (typeof clubGrants)[number];\n")
        )
    }

    @Test func `a level whose name means something else in the language is an issue until it is renamed`() throws {
        let levels = "levels: [default, some-body, someBody]"
        let error = #expect(throws: NameError.self) { try code(.swift, levels: levels) }
        #expect(error?.issues.map(\.code) == [.reservedName, .nameClash])
        #expect(error?.issues.first?.hint == "Generate with `--rename levels.default=…`.")
        let renames: [ByteText: String] = ["levels.default": "anybody", "levels.some-body": "someone"]
        #expect(try code(.swift, levels: levels, renames: renames).contains("case anybody = \"default\"\n"))
        #expect(try code(.typescript, levels: levels).contains("    \"default\",\n"))
    }
}
