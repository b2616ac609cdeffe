import DeepLinkCatalog
import DeepLinkClientCode
import DeepLinkCore
import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

/// Checks what is generated; that it compiles, `scripts/prove generated` proves.
@Suite struct GeneratedCodeTests {
    private let options = GenerationOptions(imports: ["WaymarkRuntime"], generatorVersion: "0")

    private func catalog(_ routes: String, entry: String) throws -> RouteCatalog {
        let text =
            "version: 1\norigins: [{ scheme: app }]\nentry: { \(entry): { presentation: root, initial: true } }\n\(routes)"
        return try CatalogLoader.load(Array(text.utf8), file: "app.yaml")
    }

    private func issues(_ routes: String, _ language: ClientLanguage, _ renames: [ByteText: String] = [:]) throws
        -> [String]
    {
        let catalog = try catalog(routes, entry: "home")
        do {
            let code = try language.code(for: catalog, GenerationOptions(renames: renames, generatorVersion: "0"))
            return code.warnings.map { "\($0.location.line) \($0.code.rawValue)" }
        } catch let error as NameError {
            return error.issues.map { "\($0.location.line) \($0.code.rawValue)" }
        }
    }

    // MARK: The sample app, in the file that this target compiles

    /// With `WAYMARK_RECORD=1`, the file is written again.
    @Test func `the same catalog gives the same file`() throws {
        let path = "Tests/DeepLinkClientCodeTests/AppRoute.swift"
        let code = try ClientLanguage.swift.code(for: try SampleApp.catalog(), options)
        if ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            try Data(code.file.text.utf8).write(to: URL(fileURLWithPath: Checkout.path(path)))
        }
        #expect(code.file.name == "AppRoute.swift")
        #expect(String(decoding: try Checkout.bytes(path), as: UTF8.self) == code.file.text)
    }

    @Test func `every plan of the sample app is read, and is written as it came`() throws {
        let catalog = try SampleApp.catalog()
        var walk = StackWalk(catalog, seed: 3)
        for _ in 0..<Effort.part(of: 2_000) {
            let (stack, _) = try walk.next()
            var writer = JSONWriter()
            writer.stack(stack)
            let read = try JSONDecoder().decode([WaymarkDestination<AppRoute>].self, from: Data(writer.bytes))
            #expect(read.allSatisfy { $0.route.known != nil }, "\(stack)")
            let written = try JSONEncoder().encode(read)
            #expect(try JSONDecoder().decode([WaymarkDestination<AppRoute>].self, from: written) == read)
            for destination in read {
                let made = destination.route.known.map {
                    WaymarkDestination($0, presentation: destination.presentation)
                }
                #expect(made == destination)
            }
        }
    }

    private func plan(_ stack: String) throws -> WaymarkRuntime.RoutePlan<AppRoute> {
        let text =
            #"{"link":"x:/","authorizationLevel":{"required":"none","user":"none"},"stack":["# + stack
            + #"],"new":{"a":[1]},"catalogVersion":"f"}"#
        return try JSONDecoder().decode(WaymarkRuntime.RoutePlan<AppRoute>.self, from: Data(text.utf8))
    }

    @Test func `what an older app does not know is what it is`() throws {
        let plan = try plan(
            #"{"route":"tabBar","presentation":"root","parameters":{}},"#
                + #"{"route":"character","presentation":"push","parameters":{"id":1,"since":[true,null]}},"#
                + #"{"route":"hologram","presentation":"beam","parameters":{"x":{"y":1.5}}},"#
                + #"{"route":"settings","presentation":"custom:flip","parameters":{}}"#
        )
        #expect(plan.stack[1].route == .known(.character(AppRoute.CharacterParameters(id: 1))))
        #expect(plan.stack[1].parameters.values["since"] == .array([.bool(true), .null]))
        #expect(plan.recognizedPrefix == Array(plan.stack.prefix(2)))
        #expect(plan.firstUnrecognized?.name == "hologram")
        #expect(plan.firstUnrecognized?.parameters.values == ["x": .object(["y": .double(1.5)])])
        #expect(plan.stack[2].presentation == .custom("beam"))
        #expect(plan.stack[3].presentation == .custom("flip"))
        // The server gets back what it sent.
        let back = try JSONDecoder().decode([WaymarkJSON].self, from: try JSONEncoder().encode(plan.stack))
        #expect(
            back[2]
                == .object([
                    "route": .string("hologram"), "presentation": .string("beam"),
                    "parameters": .object(["x": .object(["y": .double(1.5)])]),
                ])
        )
    }

    @Test func `a parameter that is missing or of another kind makes the destination unrecognized`() throws {
        for parameters in [#"{}"#, #"{"id":"1"}"#, #"{"id":1.5}"#, #"{"id":null}"#, #"{"id":true}"#] {
            let plan = try plan(#"{"route":"character","presentation":"push","parameters":"# + parameters + "}")
            #expect(plan.firstUnrecognized?.name == "character", "\(parameters)")
            #expect(plan.recognizedPrefix.isEmpty)
        }
    }

    // MARK: Names

    @Test func `names that cannot stand in code are issues with a place`() throws {
        let routes = """
            routes:
              home: { path: home, opens: { default: push, "2fa": push, élan: push, user-list: push, userList: push, item: push } }
              default: { path: default }
              "2fa": { path: twofa }
              élan: { path: elan }
              user-list: { path: ul }
              userList: { path: ul2 }
              item: { path: "item/{class}", parameters: { type: { type: enum, values: [a-b, aB, "1"] } } }
            """
        let reserved = ["6 reserved-name", "7 illegal-name", "8 illegal-name", "10 name-clash"]
        #expect(
            try issues(routes, .swift)
                == reserved + [
                    "11 reserved-name", "11 reserved-name", "11 name-clash", "11 illegal-name",
                ]
        )
        let renames: [ByteText: String] = [
            "default": "standard", "2fa": "twoFactor", "élan": "elan", "user-list": "users", "item.class": "kind",
            "item.type": "sort", "item.type.a-b": "hyphen", "item.type.1": "one",
        ]
        #expect(try issues(routes, .swift, renames).isEmpty)
        let more = renames.merging(["nothing": "x"]) { one, _ in one }
        let unknown = #expect(throws: UnknownRenameError.self) { try issues(routes, .swift, more) }
        #expect(unknown?.name == "nothing")
        let contextual = "routes: { home: { path: home, opens: { item: push } }, item: { path: \"item/{await}\" } }"
        #expect(try issues(contextual, .swift) == ["4 reserved-name"])
        #expect(try issues(contextual, .kotlin).isEmpty)
        #expect(try issues(routes, .typescript) == ["7 illegal-name", "8 illegal-name", "10 name-clash"])
        #expect(
            try issues(routes, .kotlin)
                == [
                    "7 illegal-name", "8 illegal-name", "10 name-clash", "11 reserved-name", "11 name-clash",
                    "11 illegal-name",
                ]
        )
    }

    @Test func `a parameter of two kinds is a warning, and any JSON value`() throws {
        let routes = """
            routes:
              home:
                path: home
                opens:
                  item:
                    - { presentation: push, path: "a/{key}", parameters: { key: int } }
                    - { presentation: push, path: "b/{key}", parameters: { key: bool } }
              item: {}
            """
        #expect(try issues(routes, .swift) == ["10 mixed-types"])
        let code = try ClientLanguage.swift.code(for: try catalog(routes, entry: "home"), options)
        #expect(code.file.text.contains("public var key: WaymarkJSON\n"))
    }

    // MARK: Many routes

    /// A catalog of a home, a route `none` without values, and routes with one.
    private func catalog(ofRoutes count: Int) throws -> RouteCatalog {
        let names = ["none"] + (2..<count).map { "r\($0)" }
        let routes = names.dropFirst().map { "  \($0): { path: \"\($0)/{id}\", parameters: { id: int } }" }
        return try catalog(
            """
            routes:
              home: { path: home, opens: { \(names.map { $0 + ": push" }.joined(separator: ", ")) } }
              none: {}
            \(routes.joined(separator: "\n"))
            """,
            entry: "home"
        )
    }

    /// Within an enum of n routes, each of n types would lead the compiler to all others (decision record 26).
    @Test func `the values of many routes stand beside the enum, under the same names`() throws {
        let few = try ClientLanguage.swift.code(for: try catalog(ofRoutes: 128), options).file.text
        #expect(few.contains("nonisolated extension AppRoute {\n    /// The values of ``AppRoute/r2``."))
        #expect(few.contains("    case r2(R2Parameters)\n") && !few.contains("AppRouteValues"))
        let many = try ClientLanguage.swift.code(for: try catalog(ofRoutes: 129), options).file.text
        #expect(many.contains("nonisolated extension AppRouteValues {\n    /// The values of ``AppRoute/r2``."))
        #expect(many.contains("    case r2(R2Parameters)\n") && !many.contains("extension AppRoute {"))
        #expect(many.contains("    public typealias R2Parameters = AppRouteValues.R2Parameters\n"))
        // An optional is returned, which has a `none` of its own.
        #expect(many.contains("case \"none\": return Self.none\n"))
    }

    @Test func `code grows as the routes do`() throws {
        for language in ClientLanguage.allCases {
            let sizes = try [200, 400, 800]
                .map { try language.code(for: try catalog(ofRoutes: $0), options).file.text.utf8.count }
            let (first, second) = (sizes[1] - sizes[0], sizes[2] - sizes[1])
            #expect(abs(second - 2 * first) < first / 10, "\(language): \(sizes)")
        }
    }

    // MARK: Texts

    @Test func `texts of a catalog stay texts`() throws {
        let routes = """
            routes:
              home:
                path: "home/{n}"
                description: "ends */ here\\n} enum X { \\u2028 // \\u202E"
                parameters: { w: { type: enum, values: ["a\\\\\\"$b\\u0007"] } }
            """
        let text = "version: 1\norigins: [{ scheme: app }]\nentry: { home: root }\n\(routes)"
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "app.yaml")
        for (language, literal) in [
            (ClientLanguage.swift, #""a\\\"$b\u{7}""#), (.typescript, #""a\\\"$b\u0007""#),
            (.kotlin, #""a\\\"\$b\u0007""#),
        ] {
            let code = try language.code(for: catalog, GenerationOptions(generatorVersion: "0")).file.text
            #expect(code.contains(literal), "\(code)")
            #expect(!code.contains("ends */"))
            #expect(!code.unicodeScalars.contains("\u{202E}") && !code.unicodeScalars.contains("\u{2028}"))
            let isComment = code.split(separator: "\n").filter { $0.contains("} enum X {") }
                .allSatisfy { ["///", "*"].contains(String($0.drop { $0 == " " }.prefix { $0 != " " })) }
            #expect(isComment)
        }
    }

    /// Comments of Kotlin nest: one that begins in a description would take the rest of the file.
    @Test func `no comment begins or ends in a description`() throws {
        let text =
            "version: 1\norigins: [{ scheme: app }]\nentry: { home: root }\nroutes:\n"
            + "  home: { path: \"home/{n}\", description: \"a /* b **/ c /*/ d /\\u202E* e\\u0007\\tf 👩‍👩‍👧\" }\n"
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "app.yaml")
        for language in ClientLanguage.allCases {
            let code = try language.code(for: catalog, GenerationOptions(generatorVersion: "0")).file.text
            #expect(code.contains(#"a / * b ** / c / * / d /\u{202E}* e\u{7} f 👩‍👩‍👧"#), "\(code)")
            let comments = code.split(separator: "\n").filter { $0.contains("a / *") }
            #expect(comments.allSatisfy { !$0.contains("/*") && !$0.contains("*/") })
            #expect(code.ranges(of: "/*").count == code.ranges(of: "*/").count)
        }
    }

    @Test func `a name that no class file can have is refused where it stands`() throws {
        func routes(route: Int, parameter: Int) -> String {
            let (name, member) = (String(repeating: "r", count: route), String(repeating: "p", count: parameter))
            return "routes:\n  home: { path: home, opens: { \(name): push } }\n  \(name):\n    parameters:\n"
                + "      \(member): { type: object, fields: { f: { type: enum, values: [a, b] } } }\n"
        }
        // `AppRoute$R…$P…$F`, and room for what the compiler puts behind: 255 in all.
        #expect(try issues(routes(route: 100, parameter: 111), .kotlin) == [])
        #expect(try issues(routes(route: 100, parameter: 112), .kotlin) == ["6 name-too-long"])
        #expect(try issues(routes(route: 214, parameter: 1), .kotlin) == ["6 name-too-long"])
        #expect(try issues(routes(route: 300, parameter: 1), .kotlin) == ["6 name-too-long"])
        let long = String(repeating: "r", count: 300)
        #expect(try issues(routes(route: 300, parameter: 1), .kotlin, [long.bytewise: "short"]) == [])
        for language in [ClientLanguage.swift, .typescript] {
            #expect(try issues(routes(route: 300, parameter: 300), language) == [])
        }
    }

    @Test func `what an issue repeats of a name can be seen`() throws {
        let text =
            "version: 1\norigins: [{ scheme: app }]\nentry: { home: root }\nroutes:\n"
            + "  home: { path: home, opens: { \"\\u202Ea\\u001B[31m\": push } }\n  \"\\u202Ea\\u001B[31m\": { path: a }\n"
        let catalog = try CatalogLoader.load(Array(text.utf8), file: "app.yaml")
        let error = #expect(throws: NameError.self) {
            try ClientLanguage.kotlin.code(for: catalog, GenerationOptions(generatorVersion: "0"))
        }
        let issue = try #require(error?.issues.first)
        #expect(
            issue.message.contains(#"`\u{202E}a\u{1B}[31m`"#) && issue.hint.contains(#"--rename \u{202E}a\u{1B}[31m=…"#)
        )
    }

    @Test func `code does not grow with the routes that have a group, and fixtures have each of its edges once`() throws
    {
        let catalogs = try [true, false]
            .map { inGroup in
                try CatalogLoader.load(
                    Array(CommonScreens.text(inGroup: inGroup).utf8),
                    file: "common",
                    version: "common"
                )
            }
        let options = GenerationOptions(generatorVersion: "0")
        for language in ClientLanguage.allCases {
            let files = try catalogs.map { try language.code(for: $0, options).file.text }
            #expect(files[0] == files[1])
        }
        let destinations = RouteFixtures(catalogs[0]).file.text.split(separator: "\n")
            .count { $0.contains("\"route\"") }
        #expect(destinations == 1 + CommonScreens.tabCount + CommonScreens.count)
    }

    @Test func `a fixture of every edge is read back`() throws {
        struct Fixtures: Decodable {
            let destinations: [WaymarkDestination<AppRoute>]
        }
        let file = RouteFixtures(try SampleApp.catalog()).file
        let fixtures = try JSONDecoder().decode(Fixtures.self, from: Data(file.text.utf8))
        #expect(fixtures.destinations.count == 19)
        #expect(fixtures.destinations.allSatisfy { $0.route.known != nil })
    }
}
