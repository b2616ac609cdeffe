import DeepLinkCore
import DeepLinkWeb
import Testing

/// Tests of the pages of a family of apps.
@Suite struct AppPageTests {
    private func page(_ path: String, _ platform: DevicePlatform = .ios) throws -> String {
        LinkPages(try AppFamily.catalog())
            .text("https://ride.example/\(path)", for: LinkVisitor(isBrowser: true, platform: platform))
    }

    @Test func `the page of a driver's link leads to the driver's app and its stores`() throws {
        let page = try page("shifts/7")
        for text in [
            #"<a class="main" href="driver://ride.example/shifts/7">"#,
            #"<a class="other" href="https://apps.apple.com/app/id222222222">"#,
            #"<meta name="apple-itunes-app" content="app-id=222222222, app-argument=https://ride.example/shifts/7">"#,
            #"<meta property="al:ios:app_store_id" content="222222222">"#,
            #"<meta property="al:android:package" content="com.example.driver">"#,
            "intent://ride.example/shifts/7#Intent;scheme=https;package=com.example.driver;",
            "https://play.google.com/store/apps/details?id=com.example.driver&amp;referrer=waymark%3D",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("rider") && !page.contains("111111111"))
    }

    @Test(arguments: ["profile", "trips/7"])
    func `the page of a rider's link, and of a link of every app, leads to the first app`(_ path: String) throws {
        let page = try page(path)
        for text in [
            "href=\"rider://ride.example/\(path)\"", "package=com.example.rider;",
            "content=\"app-id=111111111, app-clip-bundle-id=com.example.rider.Clip, "
                + "app-argument=https://ride.example/\(path)\"",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("driver"))
    }

    @Test func `a page without a link shows the first app's stores`() throws {
        for path in ["nowhere", "terms"] {
            let page = try page(path, .android)
            #expect(page.contains("https://play.google.com/store/apps/details?id=com.example.rider\""))
            #expect(page.contains(#"content="app-id=111111111, app-clip-bundle-id=com.example.rider.Clip">"#))
            #expect(!page.contains("driver") && !page.contains("intent:"))
        }
    }
}
