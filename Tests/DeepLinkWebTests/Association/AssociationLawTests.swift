import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkTestSupport

/// Laws of the association files of generated catalogs, by matchers of both platforms.
@Suite struct AssociationLawTests {
    /// The beginning of a catalog with one host, and with an app on each platform.
    private static let head = """
        version: 1
        origins: [{ scheme: https, hosts: [app.test] }]
        \(AssociationReader.apps)
        """

    /// A generated catalog as one of https, some of whose routes are kept in the browser; every third one continues paths
    /// in the fragment.
    private static func catalog(_ generated: GeneratedCatalog) -> RouteCatalog? {
        var generator = SeededGenerator(seed: generated.seed)
        var definition = generated.definition
        let prefix = definition.origins[0].value.pathPrefix
        definition.origins = [
            Located(
                Origin(
                    scheme: "https",
                    hosts: ["app.test"],
                    pathPrefix: prefix,
                    routesFragment: generated.seed % 3 == 0
                ),
                at: CatalogGenerator.location
            )
        ]
        definition.apps = GeneratedCatalog.apps
        let plain = definition
        definition.routes = definition.routes.map { route in
            RouteDefinition(
                name: route.name,
                address: route.address,
                aliases: route.aliases,
                parameters: route.parameters,
                requirements: route.requirements,
                opens: route.opens,
                page: generator.oneIn(3) ? RoutePage(opens: .web, at: CatalogGenerator.location) : nil
            )
        }
        return (try? RouteCatalog(definition)) ?? (try? RouteCatalog(plain))
    }

    /// Other spellings of a link that mean the same where the fragment continues the path after a prefix.
    private static func fragments(of link: String, behind prefix: [String]) -> [String] {
        let parts = link.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? "?" + parts[1] : ""
        let path = parts[0].dropFirst("https://app.test".count)
        let start = prefix.map { "/" + $0 }.joined()
        guard path.hasPrefix(start + "/") else { return [] }
        return path.indices.filter { path[$0] == "/" && path.distance(from: path.startIndex, to: $0) >= start.count }
            .flatMap { slash in
                let (before, rest) = (path[..<slash], path[path.index(after: slash)...])
                let base = "https://app.test" + (before.isEmpty ? "/" : before)
                return [
                    "\(base)#/\(rest)\(query)", "\(base)#\(rest)\(query)", "\(base)/#/\(rest)\(query)",
                    "\(base)\(query)#/\(rest)", "\(base)#//\(rest)/\(query)", "https://app.test\(before)#/\(rest)",
                ]
            } + ["https://app.test\(path)#\(query)"]
    }

    /// Other spellings of a link that mean the same.
    private static func spellings(of link: String, _ generator: inout SeededGenerator) -> [String] {
        let parts = link.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? "?" + parts[1] : ""
        let path = parts[0].dropFirst("https://app.test".count)
        var spellings = [link, "https://app.test\(path)/\(query)", "https://app.test/\(path)\(query)"]
        if let index = path.indices.randomElement(using: &generator), path[index].isASCII, path[index].isLetter,
            !path[..<index].hasSuffix("%"), !path[..<index].dropLast().hasSuffix("%")
        {
            let code = String(path[index].asciiValue ?? 0, radix: 16)
            spellings.append("https://app.test\(path[..<index])%\(code)\(path[path.index(after: index)...])\(query)")
        }
        if let index = path.indices.filter({ path[$0] == "/" }).randomElement(using: &generator) {
            spellings.append("https://app.test\(path[...index])//\(path[path.index(after: index)...])\(query)")
        }
        if path == "/" { spellings.append("https://app.test\(query)") }
        return spellings
    }

    @Test func `every link that resolves is handed over, and what stays in the browser is not`() async throws {
        var count = (handed: 0, beyond: 0, web: 0, webHanded: 0)
        for generated in await GeneratedCatalog.all {
            guard let catalog = Self.catalog(generated), let reader = try AssociationReader(catalog) else { continue }
            var generator = SeededGenerator(seed: generated.seed)
            let routes = Dictionary(uniqueKeysWithValues: catalog.routes.map { ($0.name, $0) })
            let named = reader.files.warnings.map(\.message).joined(separator: "\n")
            for wandering in generated.links(4) {
                let rest = wandering.text.drop { $0 != "/" }.drop { $0 == "/" }
                let path = wandering.host == "app" ? rest.drop { $0 != "/" } : "/" + rest
                let base = "https://app.test" + (path.isEmpty ? "/" : path)
                var spellings = Self.spellings(of: base, &generator)
                let origin = catalog.origins[0]
                if origin.routesFragment { spellings += Self.fragments(of: base, behind: origin.pathPrefix) }
                for link in spellings {
                    guard let parsed = try? DeepLink(link) else { continue }
                    let isReserved = parsed.segments.first.map { ReservedPath.contains($0) } ?? false
                    let resolution = resolve(ResolutionRequest(link: parsed), userLevel: .premiumUser, catalog: catalog)
                    for (name, verdict) in try reader.verdicts(on: link) {
                        switch resolution {
                        case .plan(let plan):
                            let top = try #require(plan.stack.last)
                            if routes[top.route]?.page?.opens == .web {
                                count.web += 1
                                count.webHanded += verdict.opens ? 1 : 0
                                // Slashes in a row, and what a key opens, no file can tell.
                                if verdict.opens, !link.dropFirst(8).contains("//"), !link.contains("%2F") {
                                    #expect(named.contains("`\(top.route)`"), "\(generated.seed) \(name) \(link)")
                                }
                            } else if !isReserved, !(link.contains("%2F") && verdict.rule != nil) {
                                #expect(verdict.opens, "\(generated.seed) \(name) \(link)")
                                count.handed += 1
                            }
                        case .failure(.noMatchingRoute), .failure(.unknownOrigin): count.beyond += verdict.opens ? 1 : 0
                        case .failure, .denial, .otherApp, .outdated: break
                        }
                    }
                }
            }
        }
        print(
            "handed over: \(count.handed); beyond: \(count.beyond); in the browser: \(count.web), handed \(count.webHanded)"
        )
        #expect(count.handed > 100)
        #expect(count.web > 10)
    }

    @Test func `every link of the catalogs of Config is handed over too`() throws {
        var count = (handed: 0, beyond: 0, catalogs: 0)
        for folder in ["Config", "Config/examples"] {
            for url in try Checkout.files(in: folder, withExtension: "yaml")
            where url.lastPathComponent != "service.yaml" {
                var text = try String(contentsOf: url, encoding: .utf8)
                if !text.contains("\napps:") { text += "\n\(AssociationReader.apps)\n" }
                let catalog = try CatalogLoader.load(Array(text.utf8), file: url.lastPathComponent)
                guard !AssociationFiles(catalog).hosts.isEmpty, let reader = try AssociationReader(catalog) else {
                    continue
                }
                count.catalogs += 1
                var generator = LinkGenerator(seed: 17, in: catalog)
                for _ in 0..<300 {
                    guard let link = try? DeepLinkCore.link(to: generator.stack(), scheme: "https", catalog: catalog),
                        let parsed = try? DeepLink(link),
                        case .plan(let plan) = resolve(
                            ResolutionRequest(link: parsed),
                            userLevel: .premiumUser,
                            catalog: catalog
                        )
                    else { continue }
                    let opens = plan.topEdge.flatMap { catalog.routes[$0.child].page?.opens } ?? .app
                    for (name, verdict) in try reader.verdicts(on: link) {
                        #expect(verdict.opens == (opens == .app), "\(url.lastPathComponent) \(name) \(link)")
                        count.handed += 1
                    }
                    for (_, verdict) in try reader.verdicts(on: link + "/nowhere-at-all") where verdict.opens {
                        count.beyond += 1
                    }
                }
            }
        }
        print("catalogs: \(count.catalogs), handed over: \(count.handed), and with more behind them: \(count.beyond)")
        #expect(count.catalogs >= 2 && count.handed > 200)
    }

    @Test func `no reserved path is handed over`() async throws {
        for generated in await GeneratedCatalog.all {
            guard let catalog = Self.catalog(generated), let reader = try AssociationReader(catalog) else { continue }
            for segment in ReservedPath.segments {
                for path in ["/\(segment)", "/\(segment)/", "/\(segment)/x/y"] {
                    for (name, verdict) in try reader.verdicts(on: "https://app.test\(path)") {
                        #expect(!verdict.opens, "\(generated.seed) \(name) \(path)")
                    }
                }
            }
        }
    }

    @Test func `the files are the same at each making`() async throws {
        for generated in await GeneratedCatalog.all.prefix(50) {
            guard let catalog = Self.catalog(generated), let again = Self.catalog(generated) else { continue }
            for platform in AssociationPlatform.allCases {
                let bytes = AssociationFiles(catalog).file(for: platform, host: "app.test")
                #expect(bytes == AssociationFiles(again).file(for: platform, host: "APP.test"))
            }
        }
    }

    @Test func `a path is handed over where only a key of the query opens the app`() throws {
        let text = """
            \(Self.head)
            entry: { shop: { presentation: root, initial: true } }
            routes:
              shop: { opens: { home: { presentation: tab, initial: true }, offer: sheet, about: push } }
              home: { web: { open: web } }
              offer: { query: offer }
              about: { web: { open: web } }

            """
        let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "shop.yaml")))
        for (link, opens) in [
            ("https://app.test/?offer=1", true), ("https://app.test/home?offer=1", false),
            ("https://app.test/about", false),
        ] {
            for (name, verdict) in try reader.verdicts(on: link) { #expect(verdict.opens == opens, "\(name) \(link)") }
        }
    }

    @Test func `many routes make a coarser file, not a cut one`() throws {
        for count in [300, 10_000] {
            let routes = (0..<count)
                .map { "  r\($0): { path: \"section\($0 % 40)/place\($0)/{id}\", parameters: { id: int } }" }
            let opens = (0..<count).map { "r\($0): push" }.joined(separator: ", ")
            let text = """
                \(Self.head)
                entry: { home: { presentation: root, initial: true } }
                routes:
                  home: { path: "", opens: { \(opens) } }
                \(routes.joined(separator: "\n"))

                """
            let catalog = try CatalogLoader.load(Array(text.utf8), file: "many.yaml")
            let reader = try #require(try AssociationReader(catalog))
            for platform in AssociationPlatform.allCases {
                let bytes = try #require(reader.files.file(for: platform, host: "app.test"))
                #expect(bytes.count <= AssociationFiles.maximumByteCount)
            }
            #expect(reader.files.warnings.contains { $0.code == .associationCoarsened } == (count > 3_000))
            for number in stride(from: 0, to: count, by: count / 50) {
                for (name, verdict) in try reader.verdicts(
                    on: "https://app.test/section\(number % 40)/place\(number)/7"
                ) {
                    #expect(verdict.opens, "\(name) \(number) of \(count)")
                }
            }
            for (name, verdict) in try reader.verdicts(on: "https://app.test/elsewhere") {
                #expect(!verdict.opens, "\(name) \(count)")
            }
        }
    }

    /// Seeds 2713 and 10266 of the laws of printed links: behind the host a route takes any path.
    @Test func `a host that is a segment opens every path of a route that takes the rest`() throws {
        let text = """
            version: 1
            origins: [{ scheme: https, hosts: ["*.app.test"], authority: segment }]
            \(AssociationReader.apps)
            entry: { files: root }
            routes: { files: { path: "{names*}" } }
            """
        let reader = try #require(try AssociationReader(CatalogLoader.load(Array(text.utf8), file: "rest.yaml")))
        for (path, opens) in [("/a", true), ("/a/b", true), ("/a/b/c/?k=v", true), ("/console/a", false)] {
            for (name, verdict) in try reader.verdicts(on: "https://x.app.test\(path)") {
                #expect(verdict.opens == opens, "\(name) \(path)")
            }
        }
    }
}
