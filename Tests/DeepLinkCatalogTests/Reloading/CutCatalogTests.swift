import DeepLinkCatalog
import DeepLinkCore
import Foundation
import Testing
import WaymarkTestSupport

/// Tests that cut catalogs off, as a full disk or a stalled writer does, under a server's own decision and a clock of theirs.
@Suite struct CutCatalogTests {
    static let files = ["Config/routes.yaml"] + examples

    private static let examples: [String] = {
        let found = try? Checkout.files(in: "Config/examples", withExtension: "yaml")
        return (found ?? []).map { "Config/examples/" + $0.lastPathComponent }
    }()

    /// The catalogs that broke before there were rules: block style down to the level, last in the file.
    static let texts: [String] = [
        """
        version: 1
        origins: [{ scheme: app }]
        gates: { premiumUser: /login }
        entry: { login: root, vault: root }
        routes:
          login: {}
          vault:
            authorizationLevel: premiumUser

        """,
        """
        version: 1
        origins: [{ scheme: app }]
        gates: { premiumUser: /login }
        entry: { login: root, vault: root }
        routes:
          login: {}
          vault:
            path: vault
            authorizationLevel: premiumUser

        """,
        """
        version: 1
        gates: { premiumUser: /login }
        routes:
          login: {}
          home: { authorizationLevel: premiumUser }
          help: {}
          vault: {}
        entry:
          login: root
          home: { presentation: root }
          help:
            presentation: root
            initial: true
          vault:
            presentation: root
            linkable: false
        origins:
          - scheme: app
            authority: hosts
            hosts: [a.example]
            pathPrefix: /x
          - scheme: other

        """,
    ]

    /// Returns what a server has in force after its file was cut: in place, looked at each second, after a signal before.
    private func inForce(_ bytes: ArraySlice<UInt8>, after whole: RouteCatalog, _ length: Int) -> RouteCatalog? {
        let before = CatalogStamp(FileStamp(inode: 1, size: length, changedAt: 0))
        let cut = CatalogStamp(FileStamp(inode: 1, size: bytes.count, changedAt: 1))
        var watch = CatalogWatch(inForce: before, at: .zero)
        if watch.look(at: before, time: .seconds(1), isSignal: true) == .read {
            _ = watch.verdict(on: before, endsWithLineFeed: true, takesOrOpens: false)
        }
        for second in 2...10 where watch.look(at: cut, time: .seconds(second), isSignal: false) == .read {
            guard let catalog = try? CatalogLoader.load(Array(bytes), file: "cut") else { return nil }
            let verdict = watch.verdict(
                on: cut,
                endsWithLineFeed: bytes.last == UInt8(ascii: "\n"),
                takesOrOpens: CatalogChange(from: whole, to: catalog).takesOrOpens
            )
            return verdict == .take ? catalog : nil
        }
        Issue.record("the cut file is never read")
        return nil
    }

    /// Returns whether every route and edge of a catalog is in another one, with its level or a higher one, and nothing else is an
    /// origin.
    private func isClosed(_ new: RouteCatalog, like former: RouteCatalog) -> Bool {
        guard new.origins == former.origins, new.edges.count >= former.edges.count else { return false }
        let routes = former.routes.allSatisfy { route in
            new.routes.contains { $0.name == route.name && $0.authorizationLevel >= route.authorizationLevel }
        }
        return routes
            && zip(former.edges, new.edges)
                .allSatisfy { former, new in
                    new.authorizationLevel >= former.authorizationLevel && new.isLinkable == former.isLinkable
                        && new.isInitial == former.isInitial && new.parent == former.parent && new.child == former.child
                }
    }

    private func cut(_ bytes: [UInt8], at places: some Sequence<Int>) throws {
        let whole = try CatalogLoader.load(bytes, file: "whole")
        for place in places {
            guard let catalog = inForce(bytes[..<place], after: whole, bytes.count) else { continue }
            #expect(isClosed(catalog, like: whole), "cut at byte \(place)")
        }
    }

    @Test(arguments: files)
    func `no cut of an example opens anything`(_ file: String) throws {
        let bytes = try Checkout.bytes(file)
        // After each line, and inside of lines at some or all places.
        let lineFeed = UInt8(ascii: "\n")
        try cut(bytes, at: bytes.indices.filter { $0 % Effort.divisor == 0 || bytes[$0 - 1] == lineFeed })
    }

    @Test(arguments: texts)
    func `no cut of a catalog that invites it opens anything`(_ text: String) throws {
        try cut(Array(text.utf8), at: 0..<text.utf8.count)
    }

    @Test func `some cuts are sound catalogs, so it takes the rules to hold them back`() throws {
        for text in Self.texts.dropFirst() {
            let bytes = Array(text.utf8)
            let whole = try CatalogLoader.load(bytes, file: "whole")
            let opening = bytes.indices.filter { place in
                guard bytes[..<place].last == UInt8(ascii: "\n"),
                    let catalog = try? CatalogLoader.load(Array(bytes[..<place]), file: "cut")
                else { return false }
                return !isClosed(catalog, like: whole)
            }
            #expect(!opening.isEmpty)
        }
    }

    @Test func `what a new catalog takes away or opens is said route by route`() throws {
        func catalog(_ text: String) throws -> RouteCatalog {
            let head = "version: 1\norigins: [{ scheme: nav }]\ngates: { premiumUser: /login }\n"
            return try CatalogLoader.load(Array((head + text).utf8), file: "t")
        }
        let former = try catalog(
            """
            entry: { login: root, home: root, old: root }
            routes:
              login: {}
              old: {}
              home: { opens: { vault: { presentation: push, authorizationLevel: premiumUser }, safe: push, hidden: { presentation: push, linkable: false } } }
              vault: {}
              safe: { authorizationLevel: premiumUser }
              hidden: {}
            """
        )
        let new = try catalog(
            """
            entry: { login: root, home: root, added: root }
            routes:
              login: {}
              home: { opens: { vault: push, safe: push, hidden: push } }
              vault: {}
              safe: { authorizationLevel: signedInUser }
              hidden: {}
              added: {}
            """
            .replacing("safe: { authorizationLevel: signedInUser }", with: "safe: {}")
        )
        let sentences = CatalogChange(from: former, to: new).sentences
        for part in [
            "The route `old` is removed.", "The route `safe` is opened: its level falls from premiumUser to none.",
            "The route `vault` is opened: links reach it with none, no longer with premiumUser.",
            "The edge from `home` to `vault` is opened: its level falls from premiumUser to none.",
            "The route `hidden` is opened: no link reached it, and with none one does.",
            "The edge from `home` to `hidden` is opened to links.",
        ] { #expect(sentences.contains(part), "\(sentences)") }
        #expect(!CatalogChange(from: former, to: former).takesOrOpens)
        #expect(!sentences.contains { $0.contains("added") })
    }
}
