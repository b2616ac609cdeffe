import DeepLinkCatalog
import Testing
import WaymarkTestSupport

@testable import DeepLinkCore

/// Checks that the order of candidates is that of their segments, and nobody's names.
@Suite struct CandidateOrderTests {
    private static func catalog(_ routes: String) throws -> RouteCatalog {
        let text = "version: 1\norigins: [{ scheme: x }]\nentry: { app: root }\nroutes:\n\(routes)\n"
        return try CatalogLoader.load(Array(text.utf8), file: "order.yaml")
    }

    /// Routes with the names that decided once, both ways round, and what a link means in both.
    struct Case: Sendable, CustomTestStringConvertible {
        let routes: String
        let link: String
        let want: [String]

        var testDescription: String { "\(link) in \(routes)" }
    }

    static let cases = [
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}/{tab?}" }
                  B: { path: "r/{id}/avatar" }
                """,
            link: "x:///r/1/avatar",
            want: ["root app", "push B id='1'"]
        ),
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}/{tab}", parameters: { id: { type: int, max: 5 } } }
                  B: { path: "r/{id}/avatar", parameters: { id: { type: int, max: 9 } } }
                """,
            link: "x:///r/1/avatar",
            want: ["root app", "push B id=1"]
        ),
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}/{tab}", parameters: { id: { type: string, pattern: "[a-z]+" } } }
                  B: { path: "r/{id}/avatar", parameters: { id: { type: string, pattern: "[a-z0-9]+" } } }
                """,
            link: "x:///r/me/avatar",
            want: ["root app", "push B id='me'"]
        ),
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "{lang?}/{page}" }
                  B: { path: "{place}/avatar" }
                """,
            link: "x:///en/avatar",
            want: ["root app", "push B place='en'"]
        ),
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}/{tab}" }
                  B: { path: "r/{id}", opens: { leaf: push } }
                  leaf: { path: avatar }
                """,
            link: "x:///r/1/avatar",
            want: ["root app", "push B id='1'", "push leaf"]
        ),
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "", opens: { one: push } }
                  one: { path: "r/{id}/{tab?}" }
                  B: { path: "", opens: { two: push } }
                  two: { path: "r/{id}/avatar" }
                """,
            link: "x:///r/1/avatar",
            want: ["root app", "push B", "push two id='1'"]
        ),
        // If all segments are as specific, the longer pattern counts.
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}", parameters: { id: { type: int, max: 5 } }, opens: { leaf: push } }
                  B: { path: "r/{id}/x", parameters: { id: { type: int, max: 9 } } }
                  leaf: { path: x }
                """,
            link: "x:///r/1/x",
            want: ["root app", "push B id=1"]
        ),
        // The part that matches is the most specific one, too.
        Case(
            routes: """
                  app: { path: "", opens: { A: push, B: push } }
                  A: { path: "r/{id}/{tab}", opens: { leaf: push } }
                  B: { path: "r/{id}/avatar", opens: { leaf: push } }
                  leaf: {}
                """,
            link: "x:///r/1/avatar/nothing",
            want: [
                "no-matching-route", "matched root app", "matched push B id='1'", "unmatched nothing",
            ]
        ),
    ]

    @Test(arguments: cases, [["a", "b"], ["b", "a"]])
    func `a parameter never beats a literal, whatever the routes are called`(_ example: Case, _ names: [String]) throws
    {
        func named(_ text: String) -> String {
            text.replacing("A:", with: "\(names[0]):").replacing("B:", with: "\(names[1]):")
                .replacing(" B ", with: " \(names[1]) ").replacing("push B", with: "push \(names[1])")
        }
        let answer = resolve(
            ResolutionRequest(link: try DeepLink(example.link)),
            userLevel: .premiumUser,
            catalog: try Self.catalog(named(example.routes))
        )
        #expect(ResolutionSummary.lines(answer) == example.want.map(named))
    }

    @Test func `an explanation says that a way was outranked`() throws {
        let catalog = try Self.catalog(Self.cases[1].routes)
        let request = ResolutionRequest(link: try DeepLink("x:///r/1/avatar"))
        let steps = explain(request, permissions: Permissions(level: .none), catalog: catalog).steps
        #expect(steps.map(\.outcome) == [.matched, .matched, .abandoned, .matched, .matched])
        try #require(steps.count == 5)
        #expect(steps[2].reason == "It fits, but a more specific way through the path does, too.")
        #expect(steps.last?.route == "B")
    }

    // MARK: Laws

    @Test func `a matcher that lists every way finds the same one`() async {
        var matched = 0
        var contested = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            let naive = NaiveMatcher(generated.catalog)
            for link in generated.links(4) {
                guard let (key, start) = generated.catalog.origin(of: link),
                    let path = try? generated.catalog.routedPath(of: link, key, from: start)
                else { continue }
                let texts = path.link.segmentRanges(from: path.start)
                    .map { String(decoding: path.link.bytes[$0.start..<$0.end], as: UTF8.self) }
                guard texts.count <= 7 else { continue }
                let want = naive.match(texts)
                let got = generated.catalog.match(link)?.edges(in: generated.catalog)
                #expect(got == want, "seed \(generated.seed): \(link.text)")
                if want != nil { matched += 1 }
                if naive.wayCount(texts) > 1 { contested += 1 }
            }
        }
        #expect(matched > Effort.part(of: 15_000), "\(matched)")
        #expect(contested > Effort.part(of: 500), "\(contested)")
        print("law: \(contested) of \(matched) paths could be read in several ways")
    }

    @Test func `renaming routes changes no answer`() async throws {
        var answered = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            guard let other = try? RouteCatalog(renamed(generated.definition)) else {
                Issue.record("seed \(generated.seed): refused by other names")
                continue
            }
            for link in generated.links(2) {
                let answers = [generated.catalog, other]
                    .map { catalog in
                        resolve(
                            ResolutionRequest(link: link, acceptsPart: true),
                            userLevel: .premiumUser,
                            catalog: catalog
                        )
                    }
                let lines = answers.map { ResolutionSummary.lines($0).sorted() }
                #expect(
                    lines[0].map(renamed).sorted() == lines[1],
                    "seed \(generated.seed): \(link.text)"
                )
                answered += 1
            }
        }
        #expect(answered > Effort.part(of: 10_000), "\(answered)")
    }

    /// The same catalog with the order of its names reversed.
    private func renamed(_ definition: CatalogDefinition) -> CatalogDefinition {
        func edges(_ edges: [EdgeDefinition]) -> [EdgeDefinition] {
            edges.map { edge in
                EdgeDefinition(
                    route: Located(renamed(edge.route.value), at: edge.route.location),
                    presentation: edge.presentation,
                    isInitial: edge.isInitial,
                    isLinkable: edge.isLinkable,
                    address: edge.address,
                    aliases: edge.aliases,
                    parameters: edge.parameters,
                    requirements: edge.requirements
                )
            }
        }
        var definition = definition
        definition.entry = edges(definition.entry)
        definition.routes = definition.routes.map { route in
            RouteDefinition(
                name: Located(renamed(route.name.value), at: route.name.location),
                address: route.address,
                aliases: route.aliases,
                parameters: route.parameters,
                requirements: route.requirements,
                opens: edges(route.opens),
                description: route.description,
                link: route.link
            )
        }
        return definition
    }

    /// Gives generated routes, `r0` to `r6`, names in the other order.
    private func renamed(_ text: String) -> String {
        (0...6).reduce(text) { $0.replacing("r\($1)", with: "n\(6 - $1)") }
    }
}
