import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks what must hold for inherited values in every catalog, on generated ones; a failure names its seed.
@Suite struct InheritanceLawTests {
    private static let name = CatalogDefinition.inheritedName.text

    private func plan(_ request: ResolutionRequest, _ catalog: RouteCatalog) -> RoutePlan? {
        if case .plan(let plan) = resolve(request, permissions: .all, catalog: catalog) { plan } else { nil }
    }

    /// Returns a stack with another inherited value, or without any.
    private func replacing(_ stack: [Destination], by value: ParameterValue?) -> [Destination] {
        stack.map { destination in
            Destination(
                route: destination.route,
                presentation: destination.presentation,
                parameters: destination.parameters.compactMap { parameter in
                    guard parameter.name == Self.name else { return parameter }
                    return value.map { BoundParameter(name: Self.name, value: $0) }
                }
            )
        }
    }

    private func stripped(_ stack: [Destination]) -> [Destination] { replacing(stack, by: nil) }

    private func inherited(_ destination: Destination) -> ParameterValue? {
        destination.parameters.first { $0.name == Self.name }?.value
    }

    @Test func `an inherited value is that of the nearest destination below, and of no other`() async {
        var (present, absent) = (0, 0)
        for generated in await GeneratedCatalog.withInheritance {
            await Task.yield()
            let catalog = generated.catalog
            for link in generated.links(8) {
                guard let plan = plan(ResolutionRequest(link: link), catalog) else { continue }
                for (place, edge) in plan.edgeNumbers.enumerated() {
                    let parameter = catalog.edges[edge].parameters.first { $0.inheritance != nil }
                    let value = inherited(plan.stack[place])
                    let source = parameter?.inheritance
                        .flatMap { inheritance in
                            plan.stack[..<place].last { $0.route == inheritance.route }?.parameters
                                .first { $0.name == inheritance.parameter }
                        }
                    #expect(value == source?.value, "seed \(generated.seed): \(link.text), \(place)")
                    if parameter?.isRequired == true {
                        #expect(value != nil, "seed \(generated.seed): \(link.text), \(place)")
                    }
                    if value != nil { present += 1 } else if parameter != nil { absent += 1 }
                }
            }
        }
        #expect(present > Effort.part(of: 1500) && absent > Effort.part(of: 300), "\(present), \(absent)")
        print("law: \(present) values are inherited, \(absent) are absent below")
    }

    @Test func `a stack that is shown may lack it, or have another one`() async throws {
        var compared = 0
        for generated in await GeneratedCatalog.withInheritance {
            await Task.yield()
            let nothing = try DeepLink(reference: [])
            for link in generated.links(8) {
                guard let plan = plan(ResolutionRequest(link: link), generated.catalog) else { continue }
                let other = replacing(plan.stack, by: .string("other"))
                for shown in [stripped(plan.stack), other] where shown != plan.stack {
                    let place = "seed \(generated.seed): \(link.text) from \(shown)"
                    let again = self.plan(ResolutionRequest(link: link, current: .stack(shown)), generated.catalog)
                    #expect(again?.transition == Transition(from: plan.stack, to: plan.stack), "\(place)")
                    let request = ResolutionRequest(link: nothing, mode: .append, current: .stack(shown))
                    #expect(self.plan(request, generated.catalog)?.stack == plan.stack, "\(place)")
                    compared += 1
                }
            }
        }
        #expect(compared > Effort.part(of: 1500), "\(compared)")
    }

    @Test func `a link for a stack or a route gives the value back`() async throws {
        var (stacks, routes) = (0, 0)
        for generated in await GeneratedCatalog.withInheritance {
            await Task.yield()
            let catalog = generated.catalog
            for link in generated.links(8) {
                guard let plan = plan(ResolutionRequest(link: link), catalog), let text = plan.canonicalLink,
                    plan.stack.contains(where: { inherited($0) != nil })
                else { continue }
                let place = "seed \(generated.seed): \(link.text) prints \(text)"
                let canonical = try DeepLink(text, rootless: .all)
                #expect(self.plan(ResolutionRequest(link: canonical), catalog)?.stack == plan.stack, "\(place)")
                for shown in [plan.stack, stripped(plan.stack)] {
                    let built = try DeepLinkCore.link(to: shown, scheme: link.scheme, catalog: catalog)
                    let again = self.plan(ResolutionRequest(link: try DeepLink(built, rootless: .all)), catalog)
                    #expect(again?.stack == plan.stack, "\(place): \(built)")
                }
                stacks += 1
                guard let top = plan.stack.last, inherited(top) != nil,
                    let built = try? DeepLinkCore.link(
                        toRoute: top.route,
                        parameters: top.parameters,
                        catalog: catalog
                    )
                else { continue }
                let end = built.stack.last { $0.route == top.route }
                #expect(end.flatMap(inherited) == inherited(top), "\(place): \(built)")
                let found = self.plan(ResolutionRequest(link: try DeepLink(built.link, rootless: .all)), catalog)
                #expect(found?.stack == built.stack, "\(place): \(built)")
                routes += 1
            }
        }
        #expect(stacks > Effort.part(of: 800) && routes > Effort.part(of: 300), "\(stacks), \(routes)")
    }

    @Test func `without inherited parameters a catalog gives the same stacks but for their values`() async throws {
        var compared = 0
        for generated in await GeneratedCatalog.withInheritance {
            await Task.yield()
            let other = try RouteCatalog(generated.definition.withoutInheritance)
            for link in generated.links(8) {
                for mode in ResolutionRequest.Mode.allCases {
                    let request = ResolutionRequest(link: link, mode: mode, current: .stack([]))
                    let (one, two) = (plan(request, generated.catalog), plan(request, other))
                    let place = "seed \(generated.seed): \(link.text)"
                    #expect(one.map { stripped($0.stack) } == two?.stack, "\(place)")
                    #expect(one?.canonicalLink == two?.canonicalLink, "\(place)")
                    #expect(one?.requiredLevel == two?.requiredLevel, "\(place)")
                    #expect(one?.unusedQuery == two?.unusedQuery, "\(place)")
                    if let one, let two, one.stack != two.stack { compared += 1 }
                }
            }
        }
        #expect(compared > Effort.part(of: 1500), "\(compared)")
    }
}
