import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

@testable import DeepLinkCatalog

/// Loads the catalogs of the reference and resolves the links below each.
@Suite struct CatalogReferenceTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let yaml: String
        let links: [(link: String, want: String)]

        var testDescription: String { links.first?.link ?? yaml }
    }

    /// The reference, from its heading on.
    static let text = page("docs/reference/catalog.md").components(separatedBy: "\n## Every key\n").last ?? ""

    static let examples = examples(in: text)

    /// The page that takes a table of routes to a catalog.
    static let guide = examples(in: page("docs/guides/apps/routes-to-catalog.md"))

    private static func page(_ path: String) -> String {
        String(decoding: (try? Checkout.bytes(path)) ?? [], as: UTF8.self)
    }

    private static func examples(in text: String) -> [Example] {
        text.components(separatedBy: "```yaml\n").dropFirst()
            .map { part in
                let yaml = part.components(separatedBy: "```")[0]
                let block = part.components(separatedBy: "```text\n").dropFirst().first ?? ""
                let links = block.components(separatedBy: "```")[0].split(separator: "\n")
                    .map { line in
                        let link = line.prefix { $0 != " " }
                        return (String(link), line.dropFirst(link.count).trimmingCharacters(in: .whitespaces))
                    }
                return Example(yaml: yaml, links: links)
            }
    }

    @Test(arguments: examples + guide)
    func `a catalog means what the page says`(_ example: Example) throws {
        let catalog: RouteCatalog
        do throws(CatalogError) {
            catalog = try CatalogLoader.load(Array(example.yaml.utf8), file: "page.yaml")
        } catch {
            Issue.record("\(error.issues)")
            return
        }
        #expect(!example.links.isEmpty)
        for (link, want) in example.links {
            let request = ResolutionRequest(link: try DeepLink(link, rootless: catalog.rootlessSchemes))
            let answer = resolve(request, userLevel: .premiumUser, catalog: catalog)
            if case .plan(let plan) = answer {
                #expect(plan.stack.map(ResolutionSummary.line).joined(separator: " › ") == want, "\(link)")
            } else {
                #expect(ResolutionSummary.lines(answer).first == want, "\(link)")
            }
        }
    }

    @Test func `every key has an example`() throws {
        let keys =
            DefinitionReader.keys + OriginReader.keys + RouteReader.keys + EdgeReader.keys + ParameterReader.keys
        let yaml = Self.examples.map(\.yaml).joined()
        for key in Set(keys) {
            // An example is one file, so those of `include` are a session of the page.
            let example = try Regex("\\b\(key):")
            #expect(key == "include" || yaml.contains(example), "`\(key)` is in no example")
            #expect(Self.text.contains("`\(key)`"), "`\(key)` is not explained")
        }
        #expect(Self.examples.count >= 6)
        #expect(Self.guide.count >= 6)
    }
}
