import DeepLinkCatalog
import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Tests of inherited values in the stacks that clients send, and in links to stacks.
@Suite struct InheritedValueTests {
    private static let text = """
        version: 1
        origins: [{ scheme: nav }]
        entry: { feed: root }
        routes:
          feed: { opens: { post: push, latest: push } }
          post: { path: "post/{id}", parameters: { id: int }, opens: { comments: push, sale: push }, signed: true }
          latest: { opens: { comments: push } }
          comments: { parameters: { postID: { inherit: post.id } }, opens: { share: { presentation: sheet, linkable: false } } }
          share: { parameters: { postID: { inherit: comments.postID } } }
          sale: {}
        """

    private static func catalog() throws -> RouteCatalog {
        try CatalogLoader.load(Array(text.utf8), file: "inherited.yaml")
    }

    private static func stack(postID: Int?) -> [Destination] {
        [
            Destination(route: "feed", presentation: .root),
            Destination(
                route: "post",
                presentation: .push,
                parameters: [BoundParameter(name: "id", value: .int(7))]
            ),
            Destination(
                route: "comments",
                presentation: .push,
                parameters: postID.map { [BoundParameter(name: "postID", value: .int(Int64($0)))] } ?? []
            ),
        ]
    }

    @Test(arguments: [7, nil, 99])
    func `a client need not know the value, and its own doesn't count`(_ postID: Int?) throws {
        let catalog = try Self.catalog()
        let link = try DeepLink("nav:///feed/post/7/comments")
        let request = ResolutionRequest(link: link, current: .stack(Self.stack(postID: postID)))
        guard case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else {
            Issue.record("the link does not resolve")
            return
        }
        #expect(plan.stack == Self.stack(postID: 7))
        #expect(plan.transition == Transition(from: plan.stack, to: plan.stack))
        #expect(try DeepLinkCore.link(to: Self.stack(postID: postID), catalog: catalog) == link.text)
    }

    @Test func `an edge that only the app takes inherits, too`() throws {
        let catalog = try Self.catalog()
        let shown = Self.stack(postID: nil) + [Destination(route: "share", presentation: .sheet)]
        let request = ResolutionRequest(link: try DeepLink("nav:///feed/latest"), current: .stack(shown))
        guard case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else {
            Issue.record("the link does not resolve")
            return
        }
        #expect(plan.transition?.dismiss == 3)
    }

    @Test func `a screen that inherits from a signed route needs a signature, also above what is shown`() throws {
        let catalog = try Self.catalog()
        func isSigned(_ link: String) throws -> Bool {
            let request = try ResolutionRequest(
                link: Array(link.utf8),
                mode: .append,
                current: .stack(Array(Self.stack(postID: 7).prefix(2))),
                rootless: .none
            )
            guard case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) else { return false }
            return plan.signature != nil
        }
        #expect(try isSigned("comments"))
        #expect(try !isSigned("sale"))
    }
}
