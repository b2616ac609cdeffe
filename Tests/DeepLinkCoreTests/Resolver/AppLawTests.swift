import DeepLinkCore
import Testing
import WaymarkTestSupport

/// The laws of apps by name, in generated catalogs; a failure names its seed.
@Suite struct AppLawTests {
    /// A generated catalog, some routes of which are in one app alone.
    private struct Divided {
        let generated: GeneratedCatalog
        let catalog: RouteCatalog

        /// Puts some routes of a catalog into apps, as far as no stack gets two.
        init?(_ generated: GeneratedCatalog) {
            var generator = SeededGenerator(seed: generated.seed &* 11)
            var definition = generated.definition
            definition.apps = AppLawTests.apps
            var divided: RouteCatalog?
            for _ in 0..<4 {
                var other = definition
                let place = generator.pick(Array(other.routes.indices))
                other.routes[place] = other.routes[place].of(generator.pick(AppLawTests.apps.indexes))
                guard let catalog = try? RouteCatalog(other) else { continue }
                (definition, divided) = (other, catalog)
            }
            guard let divided else { return nil }
            (self.generated, catalog) = (generated, divided)
        }
    }

    private static let apps = Apps(
        unnamed: DeclaredApp(name: nil, apple: [], android: []),
        named: ["rider", "driver", "taxi"]
            .map { DeclaredApp(name: $0, wasUnnamed: $0 == "rider", apple: [], android: []) },
        location: nil
    )

    private func answer(_ link: DeepLink, _ app: String?, _ catalog: RouteCatalog) -> Resolution {
        resolve(
            ResolutionRequest(link: link, app: app.flatMap { AppVersion($0) }),
            permissions: .all,
            catalog: catalog
        )
    }

    private func plan(_ link: DeepLink, _ catalog: RouteCatalog) -> RoutePlan? {
        if case .plan(let plan) = answer(link, nil, catalog) { plan } else { nil }
    }

    @Test func `an app changes no stack, and decides who opens it`() async throws {
        var (catalogs, owned, refused) = (0, 0, 0)
        for generated in await GeneratedCatalog.all.prefix(Effort.part(of: 1000)) {
            await Task.yield()
            guard let divided = Divided(generated) else { continue }
            catalogs += 1
            for link in generated.links(4) {
                let place = "seed \(generated.seed): \(link.text)"
                let plain = plan(link, generated.catalog)
                let plan = plan(link, divided.catalog)
                #expect(plan?.stack == plain?.stack && plan?.canonicalLink == plain?.canonicalLink, "\(place)")
                guard let plan else { continue }
                let apps = Set(plan.edgeNumbers.compactMap { divided.catalog.edges[$0].app })
                #expect(apps.count <= 1, "\(place)")
                #expect(apps.isEmpty || apps.first == plan.app, "\(place)")
                owned += plan.app == nil ? 0 : 1
                for name in ["rider", "driver", "taxi"] {
                    switch answer(link, "\(name).ios/99", divided.catalog) {
                    case .plan(let own):
                        #expect(plan.appName == nil || plan.appName == name, "\(place) for \(name)")
                        #expect(own.stack == plan.stack && own.appName == plan.appName, "\(place) for \(name)")
                    case .otherApp(let denial):
                        refused += 1
                        #expect(denial.owner == plan.appName && denial.owner != name, "\(place) for \(name)")
                        #expect(denial.link == plan.canonicalLink, "\(place) for \(name)")
                    case .denial, .outdated, .failure: Issue.record("\(place) for \(name)")
                    }
                }
                #expect(
                    answer(link, "ios/99", divided.catalog).isPlan
                        == answer(link, "rider.ios/99", divided.catalog).isPlan,
                    "\(place) for the app that had no name"
                )
            }
        }
        #expect(catalogs > Effort.part(of: 500), "\(catalogs)")
        #expect(refused == 2 * owned && owned > Effort.part(of: 100), "\(refused) of \(owned)")
    }
}

extension Resolution {
    fileprivate var isPlan: Bool { if case .plan = self { true } else { false } }
}

extension RouteDefinition {
    /// Returns the same route in one app alone.
    fileprivate func of(_ app: AppIndex) -> RouteDefinition {
        RouteDefinition(
            name: name,
            address: address,
            aliases: aliases,
            parameters: parameters,
            requirements: requirements,
            app: app,
            opens: opens,
            description: description,
            link: link,
            page: page,
            isSigned: isSigned,
            shortLink: shortLink,
            keys: keys
        )
    }
}
