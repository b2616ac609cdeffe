import DeepLinkFormats
import DeepLinkImport
import Testing

@Suite struct AppTableTests {
    // MARK: Expo

    private func expo(_ paths: [String], layouts: [String: String] = [:], links: [String] = []) throws -> LinkImport {
        var tables = CatalogImport.Tables()
        tables.expo = paths.map { ExpoFile(path: $0, text: layouts[$0]) }
        return try LinkImport(links, tables: tables)
    }

    @Test func `an Expo tree has its groups, values, rests and layouts`() throws {
        let made = try expo(
            [
                "_layout.tsx", "(tabs)/_layout.tsx", "(tabs)/index.tsx", "(tabs)/settings.tsx", "post/[id].tsx",
                "post/[id]/comments.tsx", "docs/[...rest].tsx", "+not-found.tsx", "+html.tsx", "api/hello+api.ts",
                "about.web.tsx", "about.tsx", "modal.tsx", "types.d.ts", "notes.md",
            ],
            layouts: [
                "_layout.tsx":
                    "<Stack><Stack.Screen name=\"(tabs)\" /><Stack.Screen name=\"modal\" options={{ presentation: 'modal' }} /></Stack>",
                "(tabs)/_layout.tsx": "export default () => <Tabs><Tabs.Screen name=\"index\" /></Tabs>",
            ]
        )
        #expect(try made.stack("myapp:///") == "root › tabs › home")
        #expect(try made.stack("myapp:///settings") == "root › tabs › settings")
        #expect(try made.stack("myapp:///post/7") == "root › post")
        #expect(try made.stack("myapp:///post/7/comments") == "root › comments")
        #expect(try made.stack("myapp:///docs/a/b") == "root › doc")
        #expect(try made.stack("myapp:///about") == "root › about")
        #expect(try made.stack("myapp:///api/hello").hasPrefix("No route"))
        #expect(made.line("modal: sheet") == "modal: sheet  # as its screen says")
        #expect(made.line("settings: tab") == "settings: tab  # a layout with tabs")
        #expect(made.line("scheme: myapp") == "- { scheme: myapp }  # no input names an origin")
        #expect(made.draft.routeCount == 9)
    }

    @Test func `an array of groups has its screens in each, and links open the first`() throws {
        let made = try expo([
            "(home,search)/_layout.tsx", "(home,search)/[user].tsx", "(home)/index.tsx", "(search)/search.tsx",
        ])
        #expect(
            try made.stack("myapp:///ann") == "root › homeGroup › user"
                || made.stack("myapp:///ann") == "root › home › user"
        )
        #expect(made.draft.yaml.contains("linkable: false"))
        #expect(made.report.contains { $0.contains("has the path of") })
    }

    @Test func `guards are questions, and a first screen is initial`() throws {
        let made = try expo(
            ["_layout.tsx", "(app)/_layout.tsx", "(app)/index.tsx", "(app)/detail.tsx", "(auth)/login.tsx"],
            layouts: [
                "_layout.tsx": """
                <Stack>
                  <Stack.Protected guard={!!session}>
                    <Stack.Screen name="(app)" />
                  </Stack.Protected>
                </Stack>
                """,
                "(app)/_layout.tsx": "export const unstable_settings = { initialRouteName: 'index' };\n<Stack />",
            ]
        )
        #expect(
            made.report.contains { $0.contains("_layout.tsx:2: `(app)` are shown if `!!session`") },
            "\(made.report)"
        )
        #expect(made.report.contains { $0.contains("(auth): which level") })
        #expect(try made.stack("myapp:///detail") == "root › app › home › detail")
    }

    @Test func `links tell the types of a tree, and what it lacks`() throws {
        let made = try expo(
            ["index.tsx", "post/[id].tsx"],
            links: (1...30).flatMap { ["https://a.example/post/\($0)?ref=mail", "https://a.example/old-news/\($0)"] }
        )
        #expect(made.line("id: int") == "id: int  # int in 30 of 30")
        #expect(try made.stack("https://a.example/old-news/99").hasPrefix("root"))
        #expect(made.check.report.refusedCount == 0)
    }

    @Test func `too many folders, combinations and no route are refused`() {
        #expect(throws: CatalogImport.Fault.self) { try self.expo(["readme.md"]) }
        #expect(throws: CatalogImport.Fault.self) {
            try self.expo([String(repeating: "a/", count: 40) + "index.tsx"])
        }
        let array = "(a,b,c,d,e)/"
        #expect(throws: CatalogImport.Fault.self) { try self.expo([array + array + array + "index.tsx"]) }
    }

    // MARK: React Navigation

    private func linking(_ text: String) throws -> LinkImport {
        var tables = CatalogImport.Tables()
        tables.linking = try JSONParser.parse(Array(text.utf8))
        return try LinkImport([], tables: tables)
    }

    @Test func `a linking object has its screens, aliases and origins`() throws {
        let made = try linking(
            """
            {"prefixes":["https://shop.example","shop://"],"config":{"initialRouteName":"Tabs","screens":{
              "Tabs":{"initialRouteName":"Feed","screens":{"Feed":"","Profile":{"path":"user/:id/:section?","alias":["u/:id"]}}},
              "Chat":{"path":"chat/:room","screens":{"Info":"info","Solo":{"path":"solo","exact":true}}},
              "NotFound":"*"}}}
            """
        )
        #expect(made.line("hosts: [shop.example]") == "- { scheme: https, hosts: [shop.example] }")
        #expect(made.line("scheme: shop,") == "- { scheme: shop, authority: segment }")
        #expect(try made.stack("https://shop.example/") == "root › tabs › feed")
        #expect(
            try made.stack("shop://user/7") == "root › tabs › feed › profile"
                || made.stack("shop://user/7") == "root › tabs › profile"
        )
        #expect(try made.stack("https://shop.example/u/7").hasSuffix("profile"))
        #expect(try made.stack("https://shop.example/chat/9/info").hasSuffix("chat › info"))
        #expect(try made.stack("https://shop.example/solo").hasSuffix("solo"))
        #expect(try made.stack("https://shop.example/other").hasPrefix("No route"))
    }

    @Test(arguments: ["[]", "{}", "{\"config\":{\"screens\":{}}}", "{\"config\":{\"screens\":{\"A\":\"*\"}}}"])
    func `a linking object without screens is refused`(_ text: String) {
        #expect(throws: CatalogImport.Fault.self) { try self.linking(text) }
    }

    // MARK: Manifest and association file

    @Test func `a manifest and an association file have origins, apps and a prefix`() throws {
        var tables = CatalogImport.Tables()
        let manifest = Array(
            """
            <?xml version="1.0"?>
            <!-- <intent-filter> of a comment -->
            <manifest package="com.example.shop"><application><activity android:name=".Main">
              <intent-filter android:autoVerify="true"><action android:name="android.intent.action.VIEW"/>
                <data android:scheme="https" android:host="shop.example"/><data android:scheme="http"/></intent-filter>
              <intent-filter><action android:name="android.intent.action.VIEW"/><data android:scheme="shop" android:host="product"/></intent-filter>
              <intent-filter><action android:name="android.intent.action.MAIN"/><data android:scheme="never"/></intent-filter>
              <intent-filter><action android:name="android.intent.action.VIEW"/><data android:scheme="${scheme}"/></intent-filter>
            </activity></application></manifest>
            """
            .utf8
        )
        tables.manifests = [manifest]
        tables.associations = [
            try JSONParser.parse(
                Array(
                    #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.shop"],"components":[{"/":"/s/p/*"},{"/":"/s/q/*"}]}]}}"#
                        .utf8
                )
            )
        ]
        let made = try LinkImport([], tables: tables)
        #expect(made.draft.yaml.contains("hosts: [shop.example], pathPrefix: \"/s\""))
        #expect(made.line("scheme: shop") == "- { scheme: shop, authority: segment }")
        #expect(made.line("appID:") == "- { appID: ABCDE12345.com.example.shop }")
        #expect(made.draft.yaml.contains("package: com.example.shop"))
        #expect(!made.draft.yaml.contains("never"))
        #expect(made.report.contains { $0.contains("${scheme}") })
    }

    @Test(arguments: [
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><manifest/>", 1), ("<manifest>\n<data a=b/>", 2),
        ("<manifest>\n\n<!-- no end", 3),
        ("<other/>", 1), (String(repeating: "<a>", count: 100), 1), ("<manifest\n x", 2),
    ])
    func `a hostile manifest is refused with its line`(_ text: String, _ line: Int) {
        var tables = CatalogImport.Tables()
        tables.manifests = [Array(text.utf8)]
        do {
            _ = try CatalogImport(tables)
            Issue.record("\(text) was taken")
        } catch {
            guard case .manifest(let reason, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.line == line, "\(reason)")
        }
    }
}
