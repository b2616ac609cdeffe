import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Testing
import WaymarkTestSupport

/// Laws of printed links, for each kind of origin: what is printed leads where it was printed for.
///
/// All prints count: canonical, built and signed links, codes, gates, suggestions, and the association files that open
/// them. The other spellings in which links arrive have their laws in `OriginLawTests`.
@Suite struct PrintedLinkLawTests {
    /// A catalog of one origin, with all that reads its links.
    private struct Reader {
        let generated: GeneratedCatalog.OfOneOrigin
        let files: AssociationFiles
        let keys: LinkSigningKeys

        /// The number of links of each purpose that were read.
        var counts: [String: Int] = [:]

        init(_ generated: GeneratedCatalog.OfOneOrigin, keys: LinkSigningKeys) {
            self.generated = generated
            self.keys = keys
            files = AssociationFiles(generated.catalog)
        }

        var catalog: RouteCatalog { generated.catalog }

        /// Whether phones have files for the origin's hosts.
        var isAssociated: Bool { catalog.origins[0].scheme == "https" }

        func plan(_ text: String) -> RoutePlan? {
            guard let link = try? DeepLink(text, rootless: catalog.rootlessSchemes),
                case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
            else { return nil }
            return plan
        }

        /// Checks a printed link: it leads to a stack, prints itself, verifies its signature, and opens the app.
        mutating func check(_ text: String, as purpose: String, leadsTo stack: [Destination]) {
            counts[purpose, default: 0] += 1
            let place = "\(generated.place): \(purpose) \(text)"
            guard let plan = plan(text) else {
                Issue.record("\(place) does not resolve")
                return
            }
            #expect(plan.stack == stack, "\(place)")
            #expect(plan.canonicalLink == text, "\(place)")
            #expect(plan.unusedQuery.isEmpty && plan.unusedFragment == nil, "\(place)")
            checkOpened(text, as: purpose)
            guard plan.signature != nil else { return }
            counts["signed", default: 0] += 1
            guard let signed = keys.sign(text, leadingInto: catalog, expiry: nil),
                let link = try? DeepLink(signed, rootless: catalog.rootlessSchemes)
            else {
                Issue.record("\(place) cannot be signed")
                return
            }
            let decision = decide(
                ResolutionRequest(link: link),
                permissions: .all,
                catalog: catalog,
                keys: keys,
                at: nil
            )
            do throws(Problem) {
                let plan = try decision.plan()
                #expect(plan.stack == stack && plan.canonicalLink == text && plan.unusedQuery.isEmpty, "\(place)")
            } catch {
                Issue.record("\(place), as \(signed): \(error.detail)")
            }
            checkOpened(signed, as: "signed")
        }

        /// Returns whether a URL opens the app on a platform; `nil` for a URL of no file.
        func opens(_ text: String, on platform: AssociationPlatform) -> Bool {
            AssociationQuery(url: text, platform: platform, domain: nil, app: nil)
                .answer(from: catalog, files: files, keys: keys, at: Timestamp(millisecondsSinceEpoch: 0)).verdict.opens
        }

        func checkOpened(_ text: String, as purpose: String) {
            guard isAssociated else { return }
            for platform in AssociationPlatform.allCases {
                let place = "\(generated.place): \(purpose) \(text) on \(platform.rawValue)"
                #expect(opens(text, on: platform), "\(place)")
            }
        }
    }

    private static func keys() throws -> LinkSigningKeys {
        LinkSigningKeys([try #require(LinkSigningKey(id: "k1", secret: Array(repeating: 7, count: 32)))])
    }

    @Test func `what is printed leads where it was printed for, under every kind of origin`() async throws {
        let keys = try Self.keys()
        var counts: [String: Int] = [:]
        for generated in await GeneratedCatalog.ofOneOrigin {
            await Task.yield()
            var reader = Reader(generated, keys: keys)
            for link in generated.links(4) {
                let request = ResolutionRequest(link: link)
                switch resolve(request, permissions: .all, catalog: reader.catalog) {
                case .plan(let plan): try check(plan, &reader)
                case .failure(.noMatchingRoute(let path)):
                    for suggestion in path.suggestions { check(suggestion: suggestion, &reader) }
                case .failure(.unknownOrigin) where ![.webSegment, .wildcard, .none].contains(generated.kind):
                    // The link in another may be of any origin.
                    #expect(link.text.contains("to="), "\(generated.place): \(link.text) is of no origin")
                case .failure, .denial, .otherApp, .outdated: break
                }
                if case .denial(let denial) = resolve(request, permissions: .none, catalog: reader.catalog),
                    let gate = denial.gate, let stack = gate.stack,
                    // The catalog's warning names a gate that no link opens.
                    !reader.catalog.warnings.contains(where: { $0.code == .gateWithoutLink })
                {
                    reader.check(gate.link, as: "gate", leadsTo: stack)
                    let misspelt = gate.link.replacing("gate", with: "gaet")
                    if let link = try? DeepLink(misspelt, rootless: reader.catalog.rootlessSchemes),
                        case .failure(.noMatchingRoute(let path)) = resolve(
                            ResolutionRequest(link: link),
                            permissions: .all,
                            catalog: reader.catalog
                        )
                    {
                        for suggestion in path.suggestions { check(suggestion: suggestion, &reader) }
                    }
                }
            }
            for (purpose, count) in reader.counts {
                counts["\(generated.kind.rawValue) \(purpose)", default: 0] += count
                counts[purpose, default: 0] += count
            }
        }
        for kind in OriginKind.allCases {
            let own = ["canonical", "built", "screen", "code", "gate", "signed", "suggested"]
                .map { "\($0) \(counts["\(kind.rawValue) \($0)"] ?? 0)" }
            print("\(kind.rawValue): \(own.joined(separator: ", "))")
            #expect(counts["\(kind.rawValue) canonical"] ?? 0 > Effort.part(of: 400), "\(kind)")
            #expect(counts["\(kind.rawValue) signed"] ?? 0 > Effort.part(of: 100), "\(kind)")
        }
        #expect(counts["suggested"] ?? 0 > Effort.part(of: 1_000))
    }

    /// Checks all that is printed for a plan.
    private func check(_ plan: RoutePlan, _ reader: inout Reader) throws {
        let (catalog, place) = (reader.catalog, reader.generated.place)
        reader.checkOpened(plan.link.text, as: "sent")
        if let canonical = plan.canonicalLink {
            reader.check(canonical, as: "canonical", leadsTo: plan.stack)
            let printed = try DeepLink(canonical, rootless: catalog.rootlessSchemes)
            if [.hosts, .web, .fragment].contains(reader.generated.kind), !plan.link.host.isEmpty {
                #expect(printed.host == plan.link.host.lowercased(), "\(place): \(canonical) of \(plan.link.text)")
                #expect(printed.port == plan.link.port, "\(place): \(canonical) of \(plan.link.text)")
            }
        }
        do throws(LinkBuildingError) {
            let built = try link(to: plan.stack, catalog: catalog)
            #expect(plan.canonicalLink != nil, "\(place): \(plan.link.text) prints nothing, and \(built) is built")
            reader.check(built, as: "built", leadsTo: plan.stack)
            let stored = StoredLink(text: built, stack: plan.stack)
            let target = try? catalog.link(to: stored)
            #expect(target?.text == built, "\(place): code")
            if let target, let code = catalog.shortLink("spring").flatMap({ try? DeepLink($0) }),
                case .plan(let followed) = resolve(
                    ResolutionRequest(link: code, target: LinkTarget(target)),
                    permissions: .all,
                    catalog: catalog
                )
            {
                reader.counts["code", default: 0] += 1
                #expect(followed.stack == plan.stack && followed.canonicalLink == built, "\(place): code of \(built)")
                reader.checkOpened(code.text, as: "code")
            } else {
                Issue.record("\(place): a code of \(built) leads nowhere")
            }
        } catch {
            #expect(plan.canonicalLink == nil, "\(place): \(plan.link.text) is not built: \(error)")
        }
        guard let top = plan.stack.last,
            let screen = try? link(toRoute: top.route, parameters: top.parameters, catalog: catalog)
        else { return }
        reader.check(screen.link, as: "screen", leadsTo: screen.stack)
    }

    private func check(suggestion: String, _ reader: inout Reader) {
        guard let plan = reader.plan(suggestion) else {
            Issue.record("\(reader.generated.place): suggestion \(suggestion) does not resolve")
            return
        }
        reader.check(suggestion, as: "suggested", leadsTo: plan.stack)
    }

    @Test func `what no route begins like stays in the browser`() async throws {
        let keys = try Self.keys()
        var count = 0
        for generated in await GeneratedCatalog.ofOneOrigin {
            await Task.yield()
            let reader = Reader(generated, keys: keys)
            let origin = generated.catalog.origins[0]
            guard reader.isAssociated, origin.authority == .hosts else { continue }
            let shapes = try #require(generated.catalog.linkShapes(maximumDepth: 12, maximumCount: 20_000))
            let base = "https://\(origin.hosts[0])" + origin.pathPrefix.map { "/" + $0 }.joined()
            // A value may be anything, and a `*` does not end at a slash.
            guard shapes.allSatisfy({ $0.segments.first.map { $0.words != nil } ?? true }) else { continue }
            var foreign = ["/nowhere", "/nowhere/a", "/nowhere?k=1"]
            if generated.kind == .fragment {
                foreign += ["/#nowhere", "/#/nowhere", "/nowhere#nowhere", "/#/nowhere?k=1", "#nowhere/a"]
            }
            if !origin.pathPrefix.isEmpty { foreign.append("x") }
            for rest in foreign {
                #expect(reader.plan(base + rest) == nil, "\(generated.place): \(base + rest)")
                for platform in AssociationPlatform.allCases {
                    let opens = reader.opens(base + rest, on: platform)
                    #expect(!opens, "\(generated.place): \(base + rest) on \(platform.rawValue)")
                    count += 1
                }
            }
        }
        #expect(count > Effort.part(of: 1_000), "\(count)")
    }
}
