import DeepLinkImport
import Testing

/// The shapes of names that files have in public Expo Router apps, each with what it means.
///
/// Read in streamyfin/streamyfin, slopus/happy, PapillonApp/Papillon, obytes/react-native-template-obytes, calcom/companion,
/// EvanBacon/pillar-valley, EvanBacon/expo-router-twitter, luke-h1/movies-expo-router, aaronksaunders/expo-router-guard-demo,
/// ahmadaIanazi/expo-router-twitter-layout, jkaranja/rentals-react-native-expo-router-otp-storage-push, and the apps of
/// expo/expo's own router tests.
@Suite struct ExpoNameTests {
    /// A file, with a link that opens it.
    struct Name: Sendable, CustomTestStringConvertible {
        let file: String
        let link: String

        init(_ file: String, _ link: String) {
            self.file = file
            self.link = link
        }

        var testDescription: String { file }
    }

    static let routes: [Name] = [
        Name("index.tsx", "/"),  // the folder itself
        Name("index.ios.tsx", "/"),  // the same file for one platform
        Name("challenges.tsx", "/challenges"),  // a screen
        Name("custom-links/index.tsx", "/custom-links"),  // a folder with its index
        Name("Login.tsx", "/Login"),  // a capital stays
        Name("offlineAccount.tsx", "/offlineAccount"),
        Name("wrapped_info.tsx", "/wrapped_info"),
        Name("pronote/2fa.tsx", "/pronote/2fa"),  // a digit at the beginning
        Name("settings/account/page.tsx", "/settings/account/page"),  // `page` means nothing here
        Name("(tabs)/index.tsx", "/"),  // a group adds nothing
        Name("(tabs)/settings.tsx", "/settings"),
        Name("(drawer)/(tabs)/(home)/Feed.tsx", "/Feed"),  // groups in groups
        Name("(auth)/(tabs)/(custom-links)/index.tsx", "/"),  // a hyphen in a group
        Name("(home,libraries,search)/items/page.tsx", "/items/page"),  // an array of groups
        Name("(index,search,[profile])/post/[post].tsx", "/post/7"),  // an array with brackets
        Name("(home, search)/[user].tsx", "/ann"),  // an array with a space
        Name("[id].tsx", "/7"),  // a value
        Name("machine/[id].tsx", "/machine/7"),
        Name("artifacts/edit/[id].tsx", "/artifacts/edit/7"),
        Name("session/[id]/message/[messageId].tsx", "/session/7/message/8"),  // a folder that is a value
        Name("(stack)/[fruit]/index.tsx", "/apple"),
        Name("news/[news-post-id].tsx", "/news/7"),  // a hyphen in a value
        Name("[...missing].tsx", "/a/b"),  // the rest of the path
        Name("docs/[...slug].tsx", "/docs/a/b/c"),
        Name("properties/[...propId].tsx", "/properties/1/2"),
        Name("privacy-policy.web.tsx", "/privacy-policy"),  // a platform's file beside the general one
        Name("profile-sheet.ios.tsx", "/profile-sheet"),
        Name("booking.android.tsx", "/booking"),
        Name("touch.native.tsx", "/touch"),
        Name("settings.tv.tsx", "/settings.tv"),  // Expo Router knows no such platform
        Name("home.js", "/home"),  // JavaScript
        Name("home.jsx", "/home"),
        Name("dev/messages-demo-data.ts", "/dev/messages-demo-data"),  // a route, whatever it exports
    ]

    static let others = [
        "_layout.tsx",  // around its folder
        "(tabs)/_layout.tsx",
        "_layout.web.tsx",
        "+not-found.tsx",  // an address without a screen
        "+html.tsx",  // the page around a web app
        "+native-intent.ts",  // the hook for links of the system
        "+native-intent.tsx",
        "+middleware.ts",  // code of the server
        "api+api.tsx",
        "api/hello+api.ts",
        "new/machineSelection.spec.ts",  // a test
        "new/pick/path.test.tsx",
        "types.d.ts",  // a declaration
        "styles/test.module.scss",  // no script
        "(tabs).tsx",  // refused by Expo Router
        "README.md",
    ]

    @Test(arguments: routes)
    func `a file of a public app is a route`(_ name: Name) throws {
        var tables = CatalogImport.Tables()
        tables.expo = [ExpoFile(path: "_layout.tsx", text: "<Stack />"), ExpoFile(path: name.file)]
        let made = try LinkImport([], tables: tables)
        let stack = try made.stack("myapp://" + name.link)
        #expect(stack.hasPrefix("root › "), "\(name.file): \(stack)\n\(made.draft.yaml)")
    }

    @Test(arguments: others)
    func `a file of a public app is no route`(_ file: String) throws {
        var tables = CatalogImport.Tables()
        tables.expo = [
            ExpoFile(path: "home.tsx"), ExpoFile(path: file, text: file.contains("_layout") ? "<Stack />" : nil),
        ]
        let made = try LinkImport([], tables: tables)
        #expect(made.draft.routeCount == 2, "\(made.draft.yaml)")
        #expect(try made.stack("myapp:///home") == "root › home")
    }
}
