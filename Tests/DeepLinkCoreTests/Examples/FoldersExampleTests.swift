import DeepLinkCore
import Testing
import WaymarkTestSupport

/// The Composable Architecture's patterns: a stack, a sheet, an alert, and folders in folders.
@Suite struct FoldersExampleTests {
    static let cases = [
        ExampleCase("folders:///", "root home"),
        ExampleCase("folders:///detail/42", "root home", "push detail id=42"),
        ExampleCase("folders:///settings", "root home", "push settings"),
        ExampleCase("folders:///detail/42/settings", "root home", "push detail id=42", "push settings"),
        ExampleCase("folders:///?sheet=info", "root home", "sheet sheet sheet='info'"),
        ExampleCase("folders:///detail/1?alert=delete", "root home", "push detail id=1", "alert alert alert='delete'"),
        ExampleCase(
            "folders:///detail/1?sheet=share",
            "root home",
            "push detail id=1",
            "sheet sheet sheet='share'"
        ),
        ExampleCase(
            "folders:///folder/a/folder/b?sheet=rename",
            "root home",
            "push folder id='a'",
            "push folder id='b'",
            "sheet sheet sheet='rename'"
        ),
        // A screen shows at most one destination at a time.
        ExampleCase("folders:///detail/1?sheet=share&alert=delete", "conflicting-destinations", "sheet", "alert"),
        ExampleCase(
            "folders:///detail/1?sheet=party",
            "invalid-parameter sheet.sheet",
            "value party at 26",
            "expected one of share, rename, info"
        ),
        ExampleCase(
            "folders:///detail/x",
            "invalid-parameter detail.id",
            "value x at 18",
            "expected a whole number"
        ),
    ]

    @Test(arguments: cases)
    func `a link leads where the example says`(_ example: ExampleCase) throws {
        #expect(try example.answer(Example.catalog("folders")) == example.want)
    }

    @Test func `a stack without a link names the first destination that has none`() throws {
        // An alert over a sheet: each screen below opens the alert by the same key itself.
        let stack = [
            Destination(route: "home", presentation: .root),
            Destination(
                route: "sheet",
                presentation: .sheet,
                parameters: [BoundParameter(name: "sheet", value: .string("share"))]
            ),
            Destination(
                route: "alert",
                presentation: .alert,
                parameters: [BoundParameter(name: "alert", value: .string("delete"))]
            ),
        ]
        let error = #expect(throws: LinkBuildingError.self) { try link(to: stack, catalog: Example.catalog("folders")) }
        guard case .destination(let fault)? = error else { return }
        #expect(fault.index == 2)
        #expect(fault.route == "alert")
    }

    @Test func `a deep link replaces the whole path`() throws {
        let catalog = try Example.catalog("folders")
        let request = ResolutionRequest(
            link: try DeepLink("folders:///settings"),
            current: .link(try DeepLink("folders:///detail/1/detail/2?sheet=info"))
        )
        guard case .plan(let plan) = resolve(request, userLevel: .none, catalog: catalog) else {
            Issue.record("the link resolves")
            return
        }
        #expect(plan.transition?.keep == 1)
        #expect(plan.transition?.dismiss == 3)
        #expect(plan.transition?.present.map(\.route) == ["settings"])
    }

    @Test func `folders nest 64 deep and no deeper`() throws {
        let catalog = try Example.catalog("folders")
        func answer(_ depth: Int) throws -> Resolution {
            let link = "folders://" + (1...depth).map { "/folder/\($0)" }.joined()
            return resolve(ResolutionRequest(link: try DeepLink(link)), userLevel: .none, catalog: catalog)
        }
        guard case .plan(let plan) = try answer(64) else {
            Issue.record("64 folders are no limit")
            return
        }
        #expect(plan.stack.count == 65)
        #expect(plan.canonicalLink == plan.link.text)
        #expect(try answer(65) == .failure(.tooDeep(limit: 64)))
        // The limit counts what the client shows already.
        let request = ResolutionRequest(
            link: try DeepLink(reference: Array("folder/65".utf8)),
            mode: .append,
            current: .stack(plan.stack)
        )
        #expect(resolve(request, userLevel: .none, catalog: catalog) == .failure(.tooDeep(limit: 64)))
    }
}
