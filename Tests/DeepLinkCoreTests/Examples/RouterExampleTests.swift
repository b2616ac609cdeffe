import DeepLinkCore
import Testing
import WaymarkTestSupport

/// The Router package's example: presentations are interchangeable, and a screen alone knows what it presents.
@Suite struct RouterExampleTests {
    static let cases = [
        ExampleCase("router:///first", "root content", "push first"),
        ExampleCase("router:///first/second", "root content", "push first", "push second"),
        ExampleCase("router:///first/second/third", "root content", "push first", "push second", "push third"),
        ExampleCase("https://router.example.com/first/second", "root content", "push first", "push second"),
        ExampleCase("router:///", "root content"),
        // The order that a plain NavigationPath would accept.
        ExampleCase("router:///third", "no-matching-route", "unmatched third"),
        ExampleCase(
            "router:///first/third",
            "no-matching-route",
            "matched root content",
            "matched push first",
            "unmatched third"
        ),
        ExampleCase(
            "router:///first/first",
            "no-matching-route",
            "matched root content",
            "matched push first",
            "unmatched first"
        ),
        ExampleCase(
            "router:///second/first",
            "no-matching-route",
            "unmatched second",
            "unmatched first"
        ),
        ExampleCase("router:///dashboard", "root content", "tab dashboard"),
        ExampleCase("router:///dashboard/profile", "root content", "tab dashboard", "push profile"),
        ExampleCase(
            "router:///dashboard/profile/edit",
            "root content",
            "tab dashboard",
            "push profile",
            "sheet editProfile"
        ),
        ExampleCase(
            "router:///dashboard/edit",
            "no-matching-route",
            "matched root content",
            "matched tab dashboard",
            "unmatched edit"
        ),
    ]

    @Test(arguments: cases)
    func `screens open in their order only`(_ example: ExampleCase) throws {
        #expect(try example.answer(Example.catalog("router")) == example.want)
    }

    @Test(
        arguments: ["push", "sheet", "tab", "fullScreenCover", "popover", "custom:zoom"],
        [
            ("dashboard: tab", "dashboard", "dashboard/profile/edit"),
            ("profile: push", "profile", "dashboard/profile/edit"),
            ("editProfile: sheet", "editProfile", "dashboard/profile/edit"),
        ]
    )
    func `one word changes the presentation, and no link`(_ word: String, _ edge: (String, String, String)) throws {
        let (text, route, path) = edge
        let link = try DeepLink("router:///\(path)")
        let original = try Example.catalog("router")
        let changed = try Example.catalog("router", replacing: text, with: "\(route): \(word)")
        guard case .plan(let before) = resolve(ResolutionRequest(link: link), userLevel: .none, catalog: original),
            case .plan(let after) = resolve(ResolutionRequest(link: link), userLevel: .none, catalog: changed)
        else {
            Issue.record("the link resolves before and after")
            return
        }
        #expect(after.canonicalLink == before.canonicalLink)
        #expect(after.stack.map(\.route) == before.stack.map(\.route))
        for (old, new) in zip(before.stack, after.stack) {
            #expect(new.presentation.name == (new.route == route ? word : old.presentation.name))
        }
    }
}
