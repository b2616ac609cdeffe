import DeepLinkCatalog
import DeepLinkCore
import Testing

@testable import DeepLinkWeb

/// Tests of the association files of hosts of short links.
@Suite struct ShortLinkAssociationTests {
    private func files(_ opens: String) throws -> AssociationFiles {
        let text = """
            version: 1
            origins:
              - { scheme: https, hosts: [shop.example] }
              - { scheme: https, hosts: [go.example], shortLinks: true }
              - { scheme: https, hosts: [shop.example], pathPrefix: /s, shortLinks: true }
            apps: { ios: [{ appID: ABCDE12345.com.example.shop }] }
            entry: { home: root, terms: root }
            routes: { home: {}, terms: { web: { title: "Terms", open: \(opens) } } }
            """
        return AssociationFiles(try CatalogLoader.load(Array(text.utf8), file: "short"))
    }

    private func file(_ host: String, _ files: AssociationFiles) throws -> String {
        String(decoding: try #require(files.file(for: .ios, host: host)), as: UTF8.self)
    }

    @Test func `codes open the app, on a host of their own and below a path`() throws {
        let files = try files("app")
        #expect(files.hosts.contains("go.example"))
        let own = try file("go.example", files)
        #expect(own.contains("ABCDE12345.com.example.shop"), "\(own)")
        #expect(try file("shop.example", files).contains("/s/"))
        #expect(!files.warnings.contains { $0.message.contains("Short links to") })
    }

    @Test func `a route for browsers behind a code is warned of, since no file tells codes apart`() throws {
        let warnings = try files("web").warnings.filter { $0.message.contains("Short links to `terms` open the app") }
        #expect(warnings.count == 1 && warnings.first?.code == .associationInexact)
    }
}
