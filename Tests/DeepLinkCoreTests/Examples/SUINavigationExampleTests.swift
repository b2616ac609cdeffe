import DeepLinkCore
import Testing
import WaymarkTestSupport

/// SUINavigation's example app: its deep links, in its own words, lead to its own stacks.
@Suite struct SUINavigationExampleTests {
    /// The links that upstream drops silently, with the reports in their place.
    ///
    /// - `sui-t23`: upstream stops at `TabView`, which `BoolView` does not open; the link is `no-matching-route`,
    ///   with what did not match, and the current stack stays what it was.
    static let reported: [String: Resolution] = [
        "sui-t23": .failure(
            .noMatchingRoute(
                UnmatchedPath(
                    matched: [
                        Destination(
                            route: "MainTabView",
                            presentation: .root,
                            parameters: [BoundParameter(name: "tab", value: .string("Main Tab"))]
                        ), Destination(route: "BoolView", presentation: .push),
                    ],
                    unmatched: ["TabView", "BoolView"],
                    suggestions: []
                )
            )
        )
    ]

    /// The same screens with a value in another form: upstream splits a text that is one value here.
    static let texts = ["sui-t13": "Object: id:123; name:NameOfObject; date:2020-02-20"]

    private func resolution(_ example: SUINavigationCase) throws -> Resolution {
        let catalog = try Example.catalog("suinavigation")
        // The app cuts `suintest://` off; a whole link carries it.
        let text = example.mode == .append ? example.link : "suintest://" + (example.link.isEmpty ? "/" : example.link)
        let bytes = Array(text.utf8)
        let request = ResolutionRequest(
            link: try example.mode == .append ? DeepLink(reference: bytes) : DeepLink(bytes: bytes),
            mode: example.mode,
            current: .stack(example.start)
        )
        return resolve(request, userLevel: .none, catalog: catalog)
    }

    @Test(arguments: SUINavigationCase.all)
    func `a link leads to the stack that the app shows`(_ example: SUINavigationCase) throws {
        let resolution = try resolution(example)
        if let reported = Self.reported[example.id] {
            #expect(resolution == reported)
            return
        }
        guard case .plan(let plan) = resolution else {
            Issue.record("\(resolution)")
            return
        }
        var expected = example.expected
        if let text = Self.texts[example.id], let top = expected.popLast() {
            expected.append(
                Destination(
                    route: top.route,
                    presentation: top.presentation,
                    parameters: [BoundParameter(name: "object", value: .string(text))]
                )
            )
        }
        #expect(plan.stack.map(ResolutionSummary.line) == expected.map(ResolutionSummary.line))
        #expect(plan.stack == expected)
        #expect(plan.unusedQuery.isEmpty)
        #expect(plan.transition?.applied(to: example.start) == plan.stack)
    }

    @Test func `the vectors are there, and the exceptions are among them`() {
        let ids = SUINavigationCase.all.map(\.id)
        #expect(ids.count == 13)
        #expect(Self.reported.keys.allSatisfy(ids.contains))
        #expect(Self.texts.keys.allSatisfy(ids.contains))
        // Each link that upstream dropped silently is listed; an empty one has nothing to stop at.
        for example in SUINavigationCase.all where example.stoppedAt?.isEmpty == false {
            #expect(Self.reported[example.id] != nil, "\(example.id)")
        }
    }

    static let cases = [
        ExampleCase(
            "suintest://BoolView/FirstView/object?firstString=a&object.id=7&object.name=N&object.date=2020-02-20",
            "root RootView",
            "push BoolView",
            "push FirstView firstString='a'",
            "push ObjectView object={id=7 name='N' date='2020-02-20'}"
        ),
        ExampleCase(
            "suintest://BoolView/FirstView/object?firstString=a&object.id=7",
            "invalid-parameter ObjectView.object.name",
            "value - at 62",
            "expected text"
        ),
        ExampleCase(
            "suintest://BoolView/FirstView/object/FirstView?firstString=a&object.id=7&object.name=&object.date=2020-02-20",
            "root RootView",
            "push BoolView",
            "push FirstView firstString='a'",
            "push ObjectView object={id=7 name='' date='2020-02-20'}",
            "push FirstView"
        ),
        // The same screen under another segment and another key.
        ExampleCase(
            "suintest://BoolView/ModalFirstView?modalFirst=x",
            "root RootView",
            "push BoolView",
            "fullScreenCover FirstView string='x'"
        ),
        // The edge is the app's own; no link takes it.
        ExampleCase("suintest://FirstView", "no-matching-route", "unmatched FirstView"),
        // `get` leaves the value for the next reader, and both read the one.
        ExampleCase(
            "suintest://BoolView/MainView/SecondView/BoolView/MainView/SecondView?SecondView=4",
            "root RootView",
            "push BoolView",
            "push MainView",
            "push RootView",
            "push SecondView SecondView=4",
            "push BoolView",
            "push MainView",
            "push RootView",
            "push SecondView SecondView=4"
        ),
        // A value that is missing is reported; upstream skips the screen without a word.
        ExampleCase(
            "suintest://SecondView/BoolView",
            "invalid-parameter SecondView.SecondView",
            "value - at 30",
            "expected a whole number"
        ),
        ExampleCase(
            "suintest:///SecondView/BoolView?SecondView=1",
            "root RootView",
            "push SecondView SecondView=1",
            "push BoolView",
            "canonical suintest://SecondView/BoolView?SecondView=1"
        ),
    ]

    @Test(arguments: cases)
    func `parameters come from where the screen is opened`(_ example: ExampleCase) throws {
        #expect(try example.answer(Example.catalog("suinavigation")) == example.want)
    }
}
