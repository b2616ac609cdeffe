import DeepLinkCore
import Testing
import WaymarkTestSupport

/// The laws of gates that are presented over what an app shows, in generated catalogs; a failure names its seed.
@Suite struct GateLayerLawTests {
    /// A link that is refused over a stack, with its gate.
    private struct Refusal {
        let place: String
        let link: DeepLink
        let permissions: Permissions
        let shown: [Destination]
        let gate: GateDirections
        let over: Presentation?
    }

    private func gate(
        _ link: DeepLink,
        _ permissions: Permissions,
        over shown: [Destination]?,
        _ catalog: RouteCatalog
    ) -> GateDirections? {
        let request = ResolutionRequest(link: link, current: shown.map { .stack($0) })
        guard case .denial(let denial) = resolve(request, permissions: permissions, catalog: catalog) else {
            return nil
        }
        return denial.gate
    }

    private func plan(_ request: ResolutionRequest, _ catalog: RouteCatalog) -> RoutePlan? {
        if case .plan(let plan) = resolve(request, permissions: .all, catalog: catalog) { plan } else { nil }
    }

    private func stack(of link: DeepLink, _ catalog: RouteCatalog) -> [Destination]? {
        plan(ResolutionRequest(link: link), catalog)?.stack
    }

    /// Refused links of a catalog, each over a stack that the app has from another link.
    private func refusals(_ generated: GeneratedCatalog) -> [Refusal] {
        let catalog = generated.catalog
        var generator = SeededGenerator(seed: generated.seed)
        let links = generated.links(20)
        return zip(links, links.reversed())
            .compactMap { from, link in
                let permissions = Permissions(
                    level: generator.pick(catalog.levels.all),
                    grants: GrantSet(rawValue: UInt32.random(in: 0 ... .max, using: &generator))
                )
                guard let shown = stack(of: from, catalog), !shown.isEmpty,
                    let gate = gate(link, permissions, over: shown, catalog)
                else { return nil }
                return Refusal(
                    place: "seed \(generated.seed): \(link.text) from \(from.text)",
                    link: link,
                    permissions: permissions,
                    shown: shown,
                    gate: gate,
                    over: catalog.gatesInOrder.first { $0.gives == gate.gives }?.over
                )
            }
    }

    /// Returns the catalog with gates that replace what an app shows: it reads a stack without regard to gates.
    private func plain(_ generated: GeneratedCatalog) throws -> RouteCatalog {
        var definition = generated.definition
        definition.gates = definition.gates.map { GateDefinition(gives: $0.gives, path: $0.path) }
        return try RouteCatalog(definition)
    }

    /// Returns the plan of a link that adds nothing to a stack; `nil` if the catalog doesn't read the stack.
    private func reading(_ stack: [Destination], _ catalog: RouteCatalog) throws -> RoutePlan? {
        plan(ResolutionRequest(link: try DeepLink(reference: []), mode: .append, current: .stack(stack)), catalog)
    }

    @Test func `a gate over what is shown keeps it, and adds the end of its own stack`() async throws {
        var (presented, layers, plain) = (0, 0, 0)
        for generated in await GeneratedCatalog.withGateLayers {
            await Task.yield()
            for refusal in refusals(generated) {
                let (gate, shown) = (refusal.gate, refusal.shown)
                let (stack, transition) = (try #require(gate.stack), try #require(gate.transition))
                #expect(Array(shown.prefix(transition.keep)) + transition.present == stack, "\(refusal.place)")
                #expect(transition.keep + transition.dismiss == shown.count, "\(refusal.place)")
                let own = try #require(self.stack(of: try DeepLink(gate.link, rootless: .all), generated.catalog))
                #expect(
                    self.gate(refusal.link, refusal.permissions, over: nil, generated.catalog)?.stack == own,
                    "\(refusal.place)"
                )
                guard let over = refusal.over else {
                    plain += 1
                    #expect(stack == own, "\(refusal.place)")
                    continue
                }
                #expect(transition.keep == shown.count && transition.dismiss == 0, "\(refusal.place)")
                let layer = transition.present
                guard let bottom = layer.first else {
                    #expect(stack.last?.route == own.last?.route, "\(refusal.place)")
                    continue
                }
                presented += 1
                layers += layer.count > 1 ? 1 : 0
                let start = own.lastIndex { $0.presentation != .push } ?? 0
                #expect(layer.map(\.route) == own[start...].map(\.route), "\(refusal.place)")
                #expect(layer.dropFirst().allSatisfy { $0.presentation == .push }, "\(refusal.place)")
                #expect(bottom.presentation == over && shown.last?.route != own.last?.route, "\(refusal.place)")
            }
        }
        #expect(presented > Effort.part(of: 3000), "\(presented)")
        #expect(layers > Effort.part(of: 100) && plain > Effort.part(of: 100), "\(layers), \(plain)")
        print("law: \(presented) gates over what is shown, \(layers) of several destinations")
    }

    @Test func `gates never pile up`() async throws {
        var (again, others) = (0, 0)
        for generated in await GeneratedCatalog.withGateLayers {
            await Task.yield()
            let (refusals, plain) = (refusals(generated), try plain(generated))
            for refusal in refusals where refusal.over != nil {
                let stack = try #require(refusal.gate.stack)
                let second = self.gate(refusal.link, refusal.permissions, over: stack, generated.catalog)
                #expect(second?.stack == stack, "\(refusal.place)")
                #expect(second?.transition == Transition(from: stack, to: stack), "\(refusal.place)")
                again += 1
                // A stack that needs no gate to be read has no layer of one.
                guard try reading(stack, plain) == nil else { continue }
                for other in refusals where other.gate.gives != refusal.gate.gives {
                    let direct = self.gate(other.link, other.permissions, over: refusal.shown, generated.catalog)
                    let piled = self.gate(other.link, other.permissions, over: stack, generated.catalog)
                    #expect(piled?.stack == direct?.stack, "\(refusal.place), then \(other.place)")
                    others += 1
                }
            }
        }
        #expect(again > Effort.part(of: 3000) && others > Effort.part(of: 1000), "\(again), \(others)")
    }

    @Test func `a link continues from a gate, and once it is granted the gate goes alone`() async throws {
        var granted = 0
        for generated in await GeneratedCatalog.withGateLayers {
            await Task.yield()
            let (catalog, plain) = (generated.catalog, try plain(generated))
            for refusal in refusals(generated) where refusal.over != nil {
                let stack = try #require(refusal.gate.stack)
                let continued = try reading(stack, catalog)
                #expect(continued?.stack == stack, "\(refusal.place)")
                #expect(continued?.edgeNumbers.allSatisfy(catalog.edges.indices.contains) == true, "\(refusal.place)")
                let direct = plan(ResolutionRequest(link: refusal.link, current: .stack(refusal.shown)), catalog)
                let resumed = plan(ResolutionRequest(link: refusal.link, current: .stack(stack)), catalog)
                #expect(resumed?.stack == direct?.stack, "\(refusal.place)")
                let transition = try #require(resumed?.transition, "\(refusal.place)")
                #expect(transition.applied(to: stack) == resumed?.stack, "\(refusal.place)")
                #expect(transition.keep + transition.dismiss == stack.count, "\(refusal.place)")
                guard try reading(stack, plain) == nil else { continue }
                #expect(transition.keep == direct?.transition?.keep, "\(refusal.place)")
                #expect(transition.present == direct?.transition?.present, "\(refusal.place)")
                granted += 1
            }
        }
        #expect(granted > Effort.part(of: 2000), "\(granted)")
    }
}
