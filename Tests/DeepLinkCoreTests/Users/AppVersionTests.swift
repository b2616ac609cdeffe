import DeepLinkCore
import Testing

@Suite struct AppVersionTests {
    @Test func `a version is a platform and one to four numbers`() {
        #expect(AppVersion("ios/3.1.0")?.numbers == [3, 1, 0])
        #expect(AppVersion("android/4")?.platform == .android)
        for text in [
            "", "ios", "ios/", "/3", "ios/3.", "ios/.3", "ios/3.1.0.0.0", "ios/-1", "ios/3a", "web/1", "ios/3/1",
            "IOS/3",
            "ios/99999999999999999999", "ios/٣",
        ] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
    }
}
