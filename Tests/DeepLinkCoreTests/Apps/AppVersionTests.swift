import DeepLinkCore
import Testing

@Suite struct AppVersionTests {
    @Test func `a version is a platform and one to four numbers`() {
        #expect(AppVersion("ios/3.1.0")?.number?.numbers == [3, 1, 0])
        #expect(AppVersion("android/4")?.platform == .android)
        #expect(AppVersion("android/2024.01.999999999.0")?.text == "android/2024.1.999999999.0")
        for text in [
            "", "ios", "ios/", "/3", "ios/3.", "ios/.3", "ios/3.1.0.0.a", "ios/-1", "ios/3-", "ios/3+", "ios/3-a b",
            "ios/3-é", "ios/3.1.0.0.0.", "ios/3.1.0-" + String(repeating: "a", count: 128), "ios/3a", "web/1",
            "ios/3/1",
            "IOS/3", "ios/3 ", "ios/1000000000", "ios/99999999999999999999", "ios/٣",
        ] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
    }

    @Test func `a name stands before the platform`() throws {
        let app = try #require(AppVersion("driver.ios/3.1.0-dev"))
        #expect(app.name == "driver" && app.platform == .ios && app.text == "driver.ios/3.1.0")
        #expect(AppVersion("ios/3.1.0")?.name == nil)
        #expect(app != AppVersion("ios/3.1.0") && app != AppVersion("rider.ios/3.1.0"))
        #expect(app == AppVersion("driver.ios/3.1") && app.withoutVersion.text == "driver.ios/0")
        let longest = String(repeating: "a", count: 64)
        #expect(AppVersion("\(longest).android/1")?.name == longest)
        for text in [
            ".ios/1", "driver/1", "driver./1", "driver.web/1", "a.driver.ios/1", "1driver.ios/1", "dr iver.ios/1",
            "dr\u{E9}.ios/1", "\(longest)a.ios/1", "driver.ios", "driver.browser/1",
        ] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
    }

    @Test func `of a build's version the first four numbers count, and no suffix`() {
        for (text, read) in [
            ("ios/0.9.7-dev", "ios/0.9.7"), ("android/4+215", "android/4"), ("ios/3.1.0-beta.2+a-b", "ios/3.1.0"),
            ("ios/1.2.3.4.5", "ios/1.2.3.4"), ("ios/1.2.3.4.5.6-x", "ios/1.2.3.4"),
        ] {
            #expect(AppVersion(text)?.text == read, "\(text)")
        }
        #expect(VersionNumber("0.9.7-dev") == nil && VersionNumber("1.2.3.4.5") == nil)
    }

    @Test func `numbers are compared part by part, and what is missing is 0`() throws {
        let ordered = [
            "0", "0.0.0.1", "0.9", "1", "1.0.0.1", "1.2", "1.2.3", "1.10", "2.0.1", "10", "999999999.999999999",
        ]
        let versions = try ordered.map { try #require(VersionNumber($0)) }
        for (place, version) in versions.enumerated() {
            for (other, later) in versions.enumerated() {
                #expect((version < later) == (place < other), "\(version.text) and \(later.text)")
                #expect((version == later) == (place == other), "\(version.text) and \(later.text)")
            }
        }
        let (short, long) = (try #require(VersionNumber("3.2")), try #require(VersionNumber("3.02.0")))
        #expect(short == long && short.hashValue == long.hashValue)
        #expect(short.text == "3.2" && long.text == "3.2.0")
    }

    @Test func `of two requirements the later counts, on each platform`() throws {
        let old = RequiredApps(ios: VersionNumber("3.9"), android: nil)
        let both = old.merged(with: RequiredApps(ios: VersionNumber("3.10"), android: VersionNumber("4")))
        #expect(both == RequiredApps(ios: VersionNumber("3.10"), android: VersionNumber("4")))
        #expect(both.merged(with: old) == both && both.merged(with: .none) == both)
        #expect(try both.allow(#require(AppVersion("ios/3.10.0"))))
        #expect(try !both.allow(#require(AppVersion("ios/3.9.9"))))
        #expect(try old.allow(#require(AppVersion("android/0"))))
    }

    @Test func `an app's own version counts beside every app's`() throws {
        let apps = Apps(
            unnamed: DeclaredApp(name: nil, apple: [], android: []),
            named: [
                DeclaredApp(name: "rider", wasUnnamed: true, apple: [], android: []),
                DeclaredApp(name: "driver", apple: [], android: []),
            ],
            location: nil
        )
        let (rider, driver) = (try #require(apps.index(named: "rider")), try #require(apps.index(named: "driver")))
        func own(_ app: AppIndex, _ platform: AppVersion.Platform, _ number: String) throws -> RequiredApps {
            RequiredApps(named: [.init(of: app, on: platform, try #require(VersionNumber(number)))])
        }
        let all = try own(driver, .ios, "3").merged(with: own(rider, .android, "2"))
            .merged(with: own(driver, .ios, "4").merged(with: RequiredApps(ios: VersionNumber("3.5"))))
        #expect(
            all.versions(in: apps).map { "\($0.key)/\($0.number.text)" } == [
                "ios/3.5", "rider.android/2", "driver.ios/4",
            ]
        )
        for (text, isAllowed) in [
            ("ios/3.5", true), ("ios/3.4", false), ("rider.ios/3.5", true), ("driver.ios/3.9", false),
            ("driver.ios/4", true), ("driver.android/1", true), ("rider.android/1.9", false), ("android/1", false),
        ] {
            let version = try #require(AppVersion(text))
            #expect(all.allow(version, of: apps.index(of: version)) == isAllowed, "\(text)")
            #expect(all.allow(version.withoutVersion, of: apps.index(of: version)), "\(text)")
        }
        #expect(!all.isEmpty && all == all.merged(with: all) && all.merged(with: .none) == all)
    }
}
