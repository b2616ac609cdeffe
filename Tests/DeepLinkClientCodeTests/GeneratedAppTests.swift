import DeepLinkCatalog
import DeepLinkClientCode
import DeepLinkCore
import Foundation
import Synchronization
import Testing
import WaymarkRuntime

/// Checks the code of one app of a catalog with several.
@Suite struct GeneratedAppTests {
    private static let text = """
        version: 1
        origins: [{ scheme: taxi }]
        apps: { rider: { ios: [{ appID: ABCDE12345.a.rider }] }, driver: { ios: [{ appID: ABCDE12345.a.driver }] } }
        entry: { home: root }
        routes:
          home: { opens: { ride: push, shift: push } }
          ride: { app: rider }
          shift: { app: driver }
        """

    private func code(_ language: ClientLanguage, app: String?) throws -> String {
        let whole = try CatalogLoader.load(Array(Self.text.utf8), file: "taxi.yaml")
        let catalog = try app.map { try whole.restricted(to: try #require(whole.apps.index(named: $0))) } ?? whole
        return try language.code(for: catalog, GenerationOptions(app: app, generatorVersion: "0")).file.text
    }

    @Test func `the code of an app has its routes and the name that its client sends`() throws {
        let swift = try code(.swift, app: "driver")
        #expect(swift.contains("    case home\n    case shift\n"))
        #expect(!swift.contains("case ride"))
        #expect(swift.contains("    public static var appName: String? { \"driver\" }\n"))
        let typeScript = try code(.typescript, app: "driver")
        #expect(typeScript.contains("= { catalogVersion, specs, appName: \"driver\" };"))
        #expect(typeScript.contains("    \"home\",\n    \"shift\",\n"))
        let kotlin = try code(.kotlin, app: "driver")
        #expect(kotlin.contains("        override val appName: String get() = \"driver\"\n"))
        #expect(kotlin.contains("data object Shift") && !kotlin.contains("data object Ride"))
    }

    @Test func `without an app the code has the routes of all, and no name`() throws {
        for language in ClientLanguage.allCases {
            let code = try code(language, app: nil)
            #expect(!code.contains("appName"))
            #expect(code.lowercased().contains("shift") && code.lowercased().contains("ride"))
        }
    }

    @Test func `a route cannot have the name of the app's own member`() throws {
        let text = Self.text.replacing("shift", with: "appName")
        let whole = try CatalogLoader.load(Array(text.utf8), file: "taxi.yaml")
        let driver = try whole.restricted(to: try #require(whole.apps.index(named: "driver")))
        _ = try ClientLanguage.swift.code(for: driver, GenerationOptions(generatorVersion: "0"))
        #expect(throws: NameError.self) {
            try ClientLanguage.swift.code(for: driver, GenerationOptions(app: "driver", generatorVersion: "0"))
        }
    }

    /// A type as it is generated for one app.
    private enum DriverRoute: WaymarkRoute {
        case home

        static var catalogVersion: String { "f" }
        static var appName: String? { "driver" }
        var name: String { "home" }
        var parameters: ParameterContainer { ParameterContainer() }

        init?(name: String, parameters: ParameterContainer) throws {
            guard name == "home" else { return nil }
            self = .home
        }
    }

    /// A transport that keeps the requests, and answers each with a problem.
    private final class Recorder: WaymarkTransport {
        let requests = Mutex<[WaymarkRequest]>([])

        func send(_ request: WaymarkRequest) async throws -> WaymarkResponse {
            requests.withLock { $0.append(request) }
            let problem =
                #"{"type":"urn:waymark:problem:other-app","title":"t","status":403,"detail":"d","#
                + #""route":"ride","app":"rider","link":"taxi:/ride","storeLink":"https://apps.apple.com/app/id1"}"#
            return WaymarkResponse(status: 403, body: Data(problem.utf8))
        }
    }

    @Test(arguments: [
        ("ios/3.1.0", "driver.ios/3.1.0"), ("android/4", "driver.android/4"), ("browser/2", "browser/2"),
        ("rider.ios/1", "rider.ios/1"),
    ])
    func `the client sends the app's name with its version`(_ version: String, _ sent: String) async throws {
        let recorder = Recorder()
        let server = try #require(URL(string: "https://links.example"))
        let client = WaymarkClient<DriverRoute>(server: server, app: version, transport: recorder)
        guard case .problem(let problem) = try await client.resolve("taxi:/ride") else {
            Issue.record("no problem")
            return
        }
        #expect(problem.otherApp?.app == "rider")
        #expect(problem.otherApp?.link == "taxi:/ride")
        #expect(problem.otherApp?.storeLink == "https://apps.apple.com/app/id1")
        let request = try #require(recorder.requests.withLock { $0.first })
        #expect(request.fields["Waymark-App"] == sent)
        let body = try JSONSerialization.jsonObject(with: request.body) as? [String: Any]
        #expect(body?["app"] as? String == sent)
    }
}
