import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import Testing
import WaymarkTestSupport

/// Laws of the association files of catalogs with several apps, by matchers of both platforms.
@Suite struct AppAssociationLawTests {
    /// Returns whether a warning names a route as one whose links other apps open too.
    private static func isNamed(_ route: String, in files: AssociationFiles) -> Bool {
        files.warnings.contains {
            $0.code == .associationCoarsened || ($0.code == .associationInexact && $0.message.contains("`\(route)`"))
        }
    }

    private static func app(_ name: String?) -> DeclaredApp {
        let word = name ?? "unnamed"
        return DeclaredApp(
            name: name,
            apple: [AppleApp(appID: "ABCDE12345.com.example.\(word)")],
            android: [AndroidApp(package: "com.example.\(word)", fingerprints: ["AA"])]
        )
    }

    /// A generated catalog as one of https and several apps.
    ///
    /// The routes of an app are behind an edge of `entry`, or at the end of a stack, or anywhere.
    private static func catalog(_ generated: GeneratedCatalog) -> RouteCatalog? {
        var generator = SeededGenerator(seed: generated.seed)
        var definition = generated.definition
        definition.apps = Apps(
            unnamed: generated.seed % 4 == 0
                ? app(nil) : DeclaredApp(name: nil, apple: [], android: []),
            named: ["rider", "driver"].map { app($0) },
            location: CatalogGenerator.location
        )
        definition.origins = [
            Located(
                Origin(
                    scheme: "https",
                    hosts: ["app.test"],
                    pathPrefix: definition.origins[0].value.pathPrefix,
                    routesFragment: generated.seed % 5 == 0
                ),
                at: CatalogGenerator.location
            )
        ]
        let apps = definition.apps.indexes
        func anApp() -> AppIndex? { generator.oneIn(3) ? nil : generator.pick(apps) }
        let way = generated.seed % 3
        if way == 0 {
            definition.entry = definition.entry.map { edge in
                let app = edge.route.value == "gate" ? nil : anApp()
                return EdgeDefinition(
                    route: edge.route,
                    presentation: edge.presentation,
                    isInitial: edge.isInitial,
                    isLinkable: edge.isLinkable,
                    address: edge.address,
                    aliases: edge.aliases,
                    parameters: edge.parameters,
                    app: app
                )
            }
        }
        definition.routes = definition.routes.map { route in
            let isChosen = way == 1 ? route.opens.isEmpty : way == 2 && generator.oneIn(3)
            return RouteDefinition(
                name: route.name,
                address: route.address,
                aliases: route.aliases,
                parameters: route.parameters,
                app: isChosen && route.name.value != "gate" ? anApp() : nil,
                opens: route.opens,
                page: generator.oneIn(6) ? RoutePage(opens: .web, at: CatalogGenerator.location) : nil
            )
        }
        return try? RouteCatalog(definition)
    }

    @Test func `every canonical link is handed to its app, and to others only where a warning names its route`()
        async throws
    {
        var count = (catalogs: 0, links: 0, handed: 0, kept: 0, inexact: 0)
        for generated in await GeneratedCatalog.all {
            guard let catalog = Self.catalog(generated), catalog.dividesApps else { continue }
            let reader = try #require(try AssociationReader(catalog))
            count.catalogs += 1
            var generator = LinkGenerator(seed: generated.seed, in: catalog)
            for _ in 0..<8 {
                guard let text = try? DeepLinkCore.link(to: generator.stack(), scheme: "https", catalog: catalog),
                    let parsed = try? DeepLink(text),
                    case .plan(let plan) = resolve(
                        ResolutionRequest(link: parsed),
                        userLevel: .premiumUser,
                        catalog: catalog
                    ),
                    let link = plan.canonicalLink, !link.contains("%2F"), !link.dropFirst(8).contains("//"),
                    parsed.segments.first.map({ !ReservedPath.contains($0) }) ?? true
                else { continue }
                count.links += 1
                let top = try #require(plan.topEdge?.child)
                let isKept = catalog.routes[top].page?.opens == .web
                for (index, app) in [(nil, catalog.apps.unnamed)] + catalog.apps.indexes.map({ ($0, catalog.apps[$0]) })
                where !app.isEmpty {
                    let isOwn = !isKept && (plan.app == nil || plan.app == index)
                    for (name, verdict) in try reader.verdicts(on: link, for: app) {
                        let place: Comment = "\(generated.seed) \(name) \(app.name ?? "unnamed") \(link)"
                        if isOwn {
                            #expect(verdict.opens, place)
                            count.handed += 1
                        } else if verdict.opens {
                            #expect(Self.isNamed(catalog.routes[top].name, in: reader.files), place)
                            count.inexact += 1
                        } else {
                            count.kept += 1
                        }
                    }
                }
            }
        }
        print("\(count)")
        #expect(count.handed > Effort.part(of: 20_000) && count.kept > Effort.part(of: 20_000))
        #expect(count.inexact < count.kept)
    }
}
