import DeepLinkCore
import Testing
import WaymarkTestSupport

/// Point-Free's inventory app: every screen is reachable from state, so every screen has a link.
@Suite struct InventoryExampleTests {
    static let cases = [
        ExampleCase("nav:///", "root tabs", "tab one", "canonical nav:///one"),
        ExampleCase("nav:///one", "root tabs", "tab one"),
        ExampleCase("nav:///inventory", "root tabs", "tab inventory"),
        ExampleCase("nav:///three", "root tabs", "tab three"),
        ExampleCase("nav:///inventory/help", "root tabs", "tab inventory", "sheet help"),
        ExampleCase(
            "nav:///inventory/add",
            "root tabs",
            "tab inventory",
            "sheet item status='inStock' quantity=1"
        ),
        ExampleCase(
            "nav:///inventory/add/colorPicker",
            "root tabs",
            "tab inventory",
            "sheet item status='inStock' quantity=1",
            "push colorPicker"
        ),
        ExampleCase(
            "nav:///inventory/add/colorPicker?name=Keyboard&color=blue&status=inStock&quantity=100",
            "root tabs",
            "tab inventory",
            "sheet item name='Keyboard' color='blue' status='inStock' quantity=100",
            "push colorPicker",
            "canonical nav:///inventory/add/colorPicker?name=Keyboard&color=blue&quantity=100"
        ),
        ExampleCase(
            "nav:///inventory/add?name=Mouse&status=outOfStock&isOnBackOrder=true",
            "root tabs",
            "tab inventory",
            "sheet item name='Mouse' status='outOfStock' isOnBackOrder=true"
        ),
        ExampleCase(
            "nav:///inventory/add?status=outOfStock",
            "root tabs",
            "tab inventory",
            "sheet item status='outOfStock' isOnBackOrder=false"
        ),
        // Never a mixture of the two.
        ExampleCase(
            "nav:///inventory/add?status=outOfStock&quantity=3",
            "invalid-parameter item.quantity",
            "value 3 at 48",
            "expected none, since the other parameters open it in another way"
        ),
        ExampleCase(
            "nav:///inventory/add?status=inStock&isOnBackOrder=true",
            "invalid-parameter item.isOnBackOrder",
            "value true at 50",
            "expected none, since the other parameters open it in another way"
        ),
        ExampleCase(
            "nav:///inventory/add?isOnBackOrder=true",
            "invalid-parameter item.isOnBackOrder",
            "value true at 35",
            "expected none, since the other parameters open it in another way"
        ),
        ExampleCase(
            "nav:///inventory/add?status=inStock&status=outOfStock",
            "root tabs",
            "tab inventory",
            "sheet item status='inStock' quantity=1",
            "canonical nav:///inventory/add",
            "unused status=outOfStock"
        ),
        // If no reading fits, the one that got furthest decides on the error.
        ExampleCase(
            "nav:///inventory/add?status=sold",
            "invalid-parameter item.status",
            "value sold at 28",
            "expected one of inStock or one of outOfStock"
        ),
        ExampleCase(
            "nav:///inventory/add?status=outOfStock&isOnBackOrder=perhaps",
            "invalid-parameter item.isOnBackOrder",
            "value perhaps at 53",
            "expected true, false, 1 or 0"
        ),
        ExampleCase(
            "nav:///inventory/add?quantity=-1",
            "invalid-parameter item.quantity",
            "value -1 at 30",
            "expected a whole number of at least 0"
        ),
        ExampleCase("nav:///inventory/12/edit", "root tabs", "tab inventory", "push item id='12'"),
        ExampleCase(
            "nav:///inventory/12/edit/colorPicker",
            "root tabs",
            "tab inventory",
            "push item id='12'",
            "push colorPicker"
        ),
        ExampleCase(
            "nav:///inventory/12/duplicate?name=Copy&status=outOfStock",
            "root tabs",
            "tab inventory",
            "popover item id='12' name='Copy' status='outOfStock' isOnBackOrder=false"
        ),
        ExampleCase(
            "nav:///inventory/12/duplicate/colorPicker",
            "root tabs",
            "tab inventory",
            "popover item id='12' status='inStock' quantity=1",
            "push colorPicker"
        ),
        ExampleCase(
            "nav:///inventory/12/delete",
            "root tabs",
            "tab inventory",
            "alert deleteConfirmation id='12'"
        ),
        ExampleCase(
            "nav:///inventory/add/help",
            "no-matching-route",
            "matched root tabs",
            "matched tab inventory",
            "matched sheet item status='inStock' quantity=1",
            "unmatched help"
        ),
        ExampleCase(
            "nav:///inventory/12/delete/colorPicker",
            "no-matching-route",
            "matched root tabs",
            "matched tab inventory",
            "matched alert deleteConfirmation id='12'",
            "unmatched colorPicker"
        ),
        ExampleCase("nav:///inventry", "no-matching-route", "unmatched inventry", "suggestion nav:///inventory"),
    ]

    @Test(arguments: cases)
    func `every screen has a link`(_ example: ExampleCase) throws {
        #expect(try example.answer(Example.catalog("inventory")) == example.want)
    }

    @Test func `every stack that a link opens prints as that link`() throws {
        let catalog = try Example.catalog("inventory")
        var count = 0
        for example in Self.cases {
            let request = ResolutionRequest(link: try DeepLink(example.link))
            guard case .plan(let plan) = resolve(request, userLevel: .none, catalog: catalog) else { continue }
            #expect(try link(to: plan.stack, catalog: catalog) == plan.canonicalLink)
            count += 1
        }
        #expect(count >= 14)
    }
}
