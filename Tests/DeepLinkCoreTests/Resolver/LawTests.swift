import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Checks what must hold for every catalog, link and stack, on generated ones; a failure names its seed.
///
/// After each catalog other tests get their turn, whose servers share the threads that these run on.
@Suite struct LawTests {
    private func answer(_ link: DeepLink, _ catalog: RouteCatalog, _ level: AuthorizationLevel) -> Resolution {
        resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog)
    }

    private func plan(_ request: ResolutionRequest, _ catalog: RouteCatalog) -> RoutePlan? {
        if case .plan(let plan) = resolve(request, userLevel: .premiumUser, catalog: catalog) { plan } else { nil }
    }

    // MARK: Printing

    @Test func `a canonical link leads to the same stack and is its own canonical link`() async throws {
        var planned = 0
        var printed = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(4) {
                guard let plan = plan(ResolutionRequest(link: link), generated.catalog) else { continue }
                planned += 1
                // The client may show any answer of the engine, and send it back.
                let same = ResolutionRequest(link: link, current: .stack(plan.stack))
                #expect(
                    self.plan(same, generated.catalog)?.transition?.present.isEmpty == true,
                    "seed \(generated.seed): \(link.text)"
                )
                guard let text = plan.canonicalLink else { continue }
                printed += 1
                let again = self.plan(ResolutionRequest(link: try DeepLink(text, rootless: .all)), generated.catalog)
                let place = "seed \(generated.seed): \(link.text) prints \(text)"
                #expect(again?.stack == plan.stack, "\(place)")
                #expect(again?.canonicalLink == text, "\(place)")
                #expect(again?.unusedQuery.isEmpty == true, "\(place)")
                guard let built = try? DeepLinkCore.link(to: plan.stack, catalog: generated.catalog) else {
                    Issue.record("\(place), but the stack has no link")
                    continue
                }
                let rebuilt = self.plan(ResolutionRequest(link: try DeepLink(built, rootless: .all)), generated.catalog)
                #expect(rebuilt?.stack == plan.stack, "\(place), and builds \(built)")
                #expect(rebuilt?.canonicalLink == built, "\(place), and builds \(built)")
            }
        }
        // Most stacks have a link, or the law would say little.
        #expect(planned > Effort.part(of: 15_000), "\(planned)")
        #expect(printed * 10 > planned * 9, "\(printed) of \(planned) plans have a canonical link")
        print("law: \(printed) of \(planned) plans of generated links have a canonical link")
    }

    @Test func `resolving what a stack prints gives the stack back`() async throws {
        var fitting = 0
        var printed = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            var generator = LinkGenerator(seed: generated.seed, in: generated.catalog)
            for _ in 0..<2 {
                let stack = generator.stack()
                guard !stack.isEmpty else { continue }
                let text: String
                do throws(LinkBuildingError) {
                    text = try link(to: stack, catalog: generated.catalog)
                } catch {
                    guard case .destination(let fault) = error else { throw error }
                    #expect(stack.indices.contains(fault.index), "seed \(generated.seed): \(stack)")
                    #expect(stack[fault.index].route == fault.route, "seed \(generated.seed): \(stack)")
                    fitting += 1
                    continue
                }
                fitting += 1
                printed += 1
                let plan = plan(ResolutionRequest(link: try DeepLink(text, rootless: .all)), generated.catalog)
                let place = "seed \(generated.seed): \(text)"
                #expect(plan?.canonicalLink == text, "\(place)")
                // A stack may leave defaults out, and then gets them; the printed link says what it got.
                guard let got = plan?.stack else { continue }
                #expect(got.map(\.route) == stack.map(\.route), "\(place)")
                #expect(got.map(\.presentation) == stack.map(\.presentation), "\(place)")
                for (wanted, got) in zip(stack, got) {
                    for parameter in wanted.parameters {
                        // A whole number may have become a decimal one; to JSON they are the same.
                        let value = got.parameters.first { $0.name == parameter.name }?.value
                        #expect(value?.text == parameter.value.text, "\(place)")
                    }
                }
                #expect(try link(to: got, catalog: generated.catalog) == text, "\(place)")
            }
        }
        #expect(fitting >= Effort.part(of: 10_000), "\(fitting)")
        #expect(printed * 2 > fitting, "\(printed) of \(fitting) generated stacks print")
        print("law: \(printed) of \(fitting) generated stacks have a link")
    }

    @Test func `a link built for a destination alone leads there, by the fewest segments`() async throws {
        var builtCount = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            var generator = LinkGenerator(seed: generated.seed, in: generated.catalog)
            for _ in 0..<2 {
                let stack = generator.stack()
                guard let top = stack.last else { continue }
                let place = "seed \(generated.seed): \(top)"
                // A known link to the stack bounds the number of segments.
                let known = (try? link(to: stack, catalog: generated.catalog))
                    .flatMap { try? DeepLink($0, rootless: .all) }
                let needsOthers = stack.dropLast().contains { !$0.parameters.isEmpty }
                let built: ScreenLink
                do {
                    built = try link(toRoute: top.route, parameters: top.parameters, catalog: generated.catalog)
                } catch {
                    continue
                }
                builtCount += 1
                let answer = try DeepLink(built.link, rootless: .all)
                let found = try #require(plan(ResolutionRequest(link: answer), generated.catalog), "\(place): \(built)")
                #expect(found.stack == built.stack && found.unusedQuery.isEmpty, "\(place): \(built)")
                let end = try #require(found.stack.last { $0.route == top.route }, "\(place): \(built)")
                for parameter in top.parameters {
                    let value = end.parameters.first { $0.name == parameter.name }?.value
                    #expect(value?.text == parameter.value.text, "\(place): \(built)")
                }
                // The home screen counts with the segments of its routes, though its own link needs none.
                if let known, !needsOthers, !known.segments.isEmpty {
                    #expect(answer.segments.count <= known.segments.count, "\(place): \(built) \(known.text)")
                }
            }
        }
        #expect(builtCount > Effort.part(of: 3_000), "\(builtCount)")
    }

    // MARK: Levels and order

    @Test func `a higher level never loses a link`() async {
        var granted = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(2) {
                var wasGranted = false
                for level in AuthorizationLevel.allCases {
                    let isGranted = if case .plan = answer(link, generated.catalog, level) { true } else { false }
                    #expect(isGranted || !wasGranted, "seed \(generated.seed): \(link.text) at \(level.name)")
                    wasGranted = isGranted
                    granted += isGranted ? 1 : 0
                }
            }
        }
        #expect(granted > Effort.part(of: 10_000), "\(granted)")
    }

    @Test func `a later app never loses a link, and what is printed does not depend on it`() async {
        var refused = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(2) {
                guard let plan = plan(ResolutionRequest(link: link), generated.catalog) else { continue }
                for platform in AppVersion.Platform.allCases {
                    var wasGranted = false
                    for number in ["0.5", "1", "1.3", "2.0.1", "3.4", "4", "9"] {
                        guard let app = AppVersion("\(platform.rawValue)/\(number)") else { continue }
                        let place = "seed \(generated.seed): \(link.text) for \(app.text)"
                        let request = ResolutionRequest(link: link, app: app)
                        switch resolve(request, userLevel: .premiumUser, catalog: generated.catalog) {
                        case .plan(let own):
                            wasGranted = true
                            #expect(own.canonicalLink == plan.canonicalLink && own.stack == plan.stack, "\(place)")
                            #expect(own.requiresApp.isEmpty && plan.requiresApp.allow(app), "\(place)")
                        case .outdated(let update):
                            refused += 1
                            #expect(!wasGranted && !plan.requiresApp.allow(app), "\(place)")
                            #expect(update.requiredVersion == plan.requiresApp[platform], "\(place)")
                        case .denial, .otherApp, .failure:
                            Issue.record("\(place) is neither planned nor outdated")
                        }
                    }
                    #expect(wasGranted, "seed \(generated.seed): \(link.text) for the latest \(platform.rawValue)")
                }
            }
        }
        #expect(refused > Effort.part(of: 3_000), "\(refused)")
    }

    @Test func `the order of the file changes no answer`() async throws {
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            var reversed = generated.definition
            reversed.routes = generated.definition.routes.reversed()
                .map { route in
                    RouteDefinition(
                        name: route.name,
                        address: route.address,
                        aliases: route.aliases,
                        parameters: route.parameters,
                        requirements: route.requirements,
                        opens: reordered(route.opens),
                        description: route.description,
                        link: route.link
                    )
                }
            reversed.entry = reordered(generated.definition.entry)
            guard let other = try? RouteCatalog(reversed) else {
                Issue.record("seed \(generated.seed): only one order is accepted")
                continue
            }
            for link in generated.links(2) {
                for level in [AuthorizationLevel.none, .premiumUser] {
                    #expect(
                        comparable(answer(link, generated.catalog, level)) == comparable(answer(link, other, level)),
                        "seed \(generated.seed): \(link.text)"
                    )
                }
            }
        }
    }

    /// Reverses the order of the routes that are opened; the alternatives of one keep theirs, which means something.
    private func reordered(_ edges: [EdgeDefinition]) -> [EdgeDefinition] {
        var names: [String] = []
        for edge in edges where !names.contains(edge.route.value) { names.append(edge.route.value) }
        return names.reversed().flatMap { name in edges.filter { $0.route.value == name } }
    }

    /// The order of conflicting routes is that of the file, and means nothing.
    private func comparable(_ resolution: Resolution) -> Resolution {
        if case .failure(.conflictingDestinations(let routes)) = resolution {
            .failure(.conflictingDestinations(routes.sorted()))
        } else {
            resolution
        }
    }

    // MARK: Current stacks

    @Test func `appending to nothing is replacing`() async throws {
        var count = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            for link in generated.links(2) {
                let replaced = resolve(
                    ResolutionRequest(link: link, current: .stack([])),
                    userLevel: .premiumUser,
                    catalog: generated.catalog
                )
                let request = ResolutionRequest(link: link, mode: .append, current: .stack([]))
                #expect(
                    resolve(request, userLevel: .premiumUser, catalog: generated.catalog) == replaced,
                    "seed \(generated.seed): \(link.text)"
                )
                count += 1
            }
        }
        #expect(count >= Effort.part(of: 10_000))
    }

    @Test func `what does not fit of a current stack is dismissed, and changes nothing else`() async throws {
        var generator = SeededGenerator(seed: 14)
        var count = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            let links = generated.links(2)
            guard let from = links.first, let current = plan(ResolutionRequest(link: from), generated.catalog)?.stack
            else { continue }
            // A destination that another version of the app shows, and what it shows over it.
            let index = Int.random(in: 0...current.count, using: &generator)
            let shown =
                current.prefix(index) + [Destination(route: "of another version", presentation: .push)]
                + current.suffix(from: index)
            for link in links {
                let request = ResolutionRequest(link: link, current: .stack(Array(shown)))
                guard let plan = plan(ResolutionRequest(link: link), generated.catalog) else { continue }
                let place = "seed \(generated.seed): \(link.text) from \(from.text), cut at \(index)"
                let bent = try #require(self.plan(request, generated.catalog), "\(place)")
                let transition = try #require(bent.transition, "\(place)")
                #expect(bent.stack == plan.stack && bent.canonicalLink == plan.canonicalLink, "\(place)")
                #expect(transition.unknownFrom == index && transition.keep <= index, "\(place)")
                #expect(transition.keep + transition.dismiss == shown.count, "\(place)")
                #expect(transition.applied(to: Array(shown)) == plan.stack, "\(place)")
                count += 1
            }
        }
        #expect(count >= Effort.part(of: 10_000), "\(count)")
    }

    @Test func `a transition leads from one stack to the other, and keeps all it can`() async throws {
        var count = 0
        for generated in await GeneratedCatalog.all {
            await Task.yield()
            let links = generated.links(2)
            guard let from = links.first, let current = plan(ResolutionRequest(link: from), generated.catalog)?.stack
            else { continue }
            var generator = LinkGenerator(seed: generated.seed, in: generated.catalog)
            let top = current.last?.route
            let references = (0..<2)
                .compactMap { _ in try? DeepLink(reference: Array(generator.reference(from: top).utf8)) }
            let requests =
                links.map { ResolutionRequest(link: $0, current: .stack(current)) }
                + references.map { ResolutionRequest(link: $0, mode: .append, current: .stack(current)) }
            for request in requests {
                let answer = resolve(request, userLevel: .premiumUser, catalog: generated.catalog)
                if case .failure(.invalidCurrentStack(let invalid)) = answer {
                    Issue.record("seed \(generated.seed): \(from.text): \(invalid.message)")
                }
                guard case .plan(let plan) = answer else { continue }
                let transition = try #require(plan.transition)
                let place = "seed \(generated.seed): \(request.link.text) from \(from.text)"
                #expect(transition.applied(to: current) == plan.stack, "\(place)")
                #expect(transition.keep + transition.dismiss == current.count, "\(place)")
                let isMaximal =
                    transition.keep == min(current.count, plan.stack.count)
                    || current[transition.keep] != plan.stack[transition.keep]
                #expect(isMaximal, "\(place)")
                // The destinations below an appended one stay.
                if request.mode == .append { #expect(transition.dismiss == 0, "\(place)") }
                count += 1
            }
        }
        #expect(count >= Effort.part(of: 10_000), "\(count)")
    }

    // MARK: Hostile links

    @Test func `no link that wanders off makes the engine trap`() async throws {
        var mutator = LinkMutator(seed: 5)
        var resolved = 0
        for generated in await GeneratedCatalog.all.prefix(500) {
            await Task.yield()
            var generator = LinkGenerator(seed: generated.seed, in: generated.catalog)
            for _ in 0..<30 {
                let tail = String(decoding: mutator.next(), as: UTF8.self)
                guard let link = try? DeepLink(generator.link() + tail, rootless: .all) else { continue }
                let request = ResolutionRequest(link: link, acceptsPart: true)
                let answer = resolve(request, userLevel: .premiumUser, catalog: generated.catalog)
                let explained = explain(
                    request,
                    permissions: Permissions(level: .premiumUser),
                    catalog: generated.catalog
                )
                #expect(explained.resolution == answer)
                #expect(!explained.steps.isEmpty)
                resolved += 1
            }
        }
        #expect(resolved > 2_000, "\(resolved) links were well-formed")
    }
}
