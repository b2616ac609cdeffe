// swift-format-ignore-file
// A use of the Swift code of the sample app, with a server: `scripts/prove generated` compiles and runs it.
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Failure: Error { let what: String; let line: Int }

func check(_ holds: Bool, _ what: String = "", line: Int = #line) throws {
    guard holds else { throw Failure(what: what, line: line) }
}

/// Compiles only if every route has its case, with its values.
func title(_ route: AppRoute) -> String {
    switch route {
    case .character(let character): "character \(character.id + 0)"
    case .episode(let episode): "episode \(episode.id)"
    case .characterSheet(let sheet): sheet.title ?? "untitled"
    case .onboarding, .step1, .step2, .login, .registration, .forgotpassword, .tabBar, .characters, .episodes,
        .settings, .profile:
        route.name
    }
}

struct Check {
    let server: URL
    let user = "swift"

    /// Answers the version of the user.
    @discardableResult
    func setLevel(_ level: String) async throws -> Int {
        var request = URLRequest(url: server.appendingPathComponent("v1/users/\(user)"))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"authorizationLevel":"\#(level)"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (body, response) = try await URLSession.shared.data(for: request)
        try check((response as? HTTPURLResponse).map { $0.statusCode < 300 } == true)
        let members = try JSONDecoder().decode([String: WaymarkJSON].self, from: body)
        return members["version"].flatMap(Int.init(json:)) ?? 0
    }

    func client(_ url: URL, app: String? = nil) -> WaymarkClient<AppRoute> {
        WaymarkClient(server: url, user: user, app: app)
    }

    func resolvesAndRedeems() async throws {
        try await setLevel("signedInUser")
        let client = client(server)
        var state = NavigationState<AppRoute>()
        guard case .plan(let plain) = try await client.resolve("navigation:/characters/character/1", from: state.from)
        else { throw Failure(what: "no plan", line: #line) }
        _ = try state.apply(plain)
        try check(state.stack == plain.stack)
        try check(plain.stack[2] == WaymarkDestination(.character(.init(id: 1)), presentation: .push))
        try check(title(plain.stack[2].route.known ?? .settings) == "character 1")

        let link = "navigation:/characters/character/1?sheet=x"
        guard case .denied(let denial) = try await client.resolve(link, from: state.from), let gate = denial.gate,
            let token = denial.continuation, let way = gate.transition
        else { throw Failure(what: "no denial", line: #line) }
        try check(gate.level == "premiumUser" && denial.userLevel == "signedInUser")
        var gated = state
        _ = try gated.apply(way)
        try check(gated.stack == gate.stack)

        let version = try await setLevel("premiumUser")
        guard case .problem(let early) = try await client.redeem(token, userVersion: version + 1) else {
            throw Failure(what: "a version that is not there", line: #line)
        }
        try check(early.code == "version-mismatch" && early.status == 412)
        guard case .plan(let granted) = try await client.redeem(token, from: gated.from, userVersion: version) else {
            throw Failure(what: "not granted", line: #line)
        }
        // It follows the gate, which the app shows by now.
        state = gated
        _ = try state.apply(granted)
        try check(state.stack.count == 4 && state.layers.count == 2)

        // The user swipes the sheet away while an answer is on its way.
        guard case .plan(let late) = try await client.resolve("navigation:/episodes", from: state.from) else {
            throw Failure(what: "no plan", line: #line)
        }
        state.dismiss(to: 3)
        let before = state
        do {
            _ = try state.apply(late)
            throw Failure(what: "no mismatch", line: #line)
        } catch is TransitionMismatch {
            try check(state == before)
        }
        guard case .plan(let again) = try await client.resolve("navigation:/episodes", from: state.from) else {
            throw Failure(what: "no plan", line: #line)
        }
        _ = try state.apply(again)
        try check(state.stack == again.stack)
    }

    let home = [WaymarkDestination(AppRoute.tabBar, presentation: .root), WaymarkDestination(.characters, presentation: .tab)]

    func keepsTheStacksOfTabs() throws {
        let character = { (id: Int) in WaymarkDestination(AppRoute.character(.init(id: id)), presentation: .push) }
        let episodes = WaymarkDestination(AppRoute.episodes, presentation: .tab)
        var state = NavigationState(stack: home + [character(1), character(2)])
        state.select(episodes)
        try check(state.stack.map(\.route.name) == ["tabBar", "episodes"])
        state = try JSONDecoder().decode(NavigationState.self, from: try JSONEncoder().encode(state))
        state.select(home[1])
        try check(state.stack == home + [character(1), character(2)])
        // A link says the whole stack of its tab, and nothing about the others.
        state.show([home[0], episodes])
        state.show(home + [character(3)])
        try check(state.stack == home + [character(3)])
        for _ in 0..<3 { state.dismiss() }
        try check(state.stack == home)
        for text in [
            "null", "{}", #"{"layers":[[]]}"#, #"{"layers":[7]}"#,
            #"{"layers":[[{"route":"login","presentation":"root","selected":0}]]}"#,
        ] {
            try check((try? JSONDecoder().decode(NavigationState<AppRoute>.self, from: Data(text.utf8))) == nil, text)
        }
    }

    @MainActor func waitsForLateLevels() async throws {
        try await setLevel("signedInUser")
        var pauses: [Duration] = []
        var stored: [String?] = []
        let navigator = WaymarkNavigator(
            client: client(server),
            first: home,
            store: { stored.append($0) },
            wait: { pause in
                pauses.append(pause)
                if pauses.count == 3 { _ = try? await self.setLevel("premiumUser") }
            }
        )
        let link = "navigation:/characters/character/1?sheet=x"
        try check(await navigator.open(link) == .gated)
        try check(pauses.isEmpty && navigator.denial?.gate?.level == "premiumUser")
        try check(await navigator.resume(waiting: .seconds(10)) == .shown)
        // The last is for the system, which dismisses the gate before it presents the sheet.
        try check(pauses == [.milliseconds(500), .seconds(1), .seconds(2), .milliseconds(350)], "\(pauses)")
        try check(navigator.state.stack.count == 4 && stored.count == 2 && stored[1] == nil)

        try await setLevel("signedInUser")
        navigator.dismiss(to: 2)
        try check(await navigator.open(link) == .gated)
        pauses = []
        try check(await navigator.resume(waiting: .milliseconds(700)) == .gated)
        try check(pauses == [.milliseconds(500), .milliseconds(200)], "\(pauses)")
        navigator.signOut()
        try check(navigator.pending == nil && navigator.state.stack == home && navigator.denial == nil)
        try check(await navigator.resume() == .superseded)

        // A gate that the user closes is not come back to.
        try check(await navigator.open(link) == .gated)
        navigator.dismiss()
        try check(navigator.pending == nil)
        for text in ["", "7", "null", "{}", "[]", #"{"link":"x:/","mode":"sideways"}"#] {
            try check(PendingLink<AppRoute>(text: text) == nil, text)
        }
    }

    /// A network that may be away, and what was sent over it.
    @MainActor final class Network: WaymarkTransport {
        var isAway = true
        var sent: [WaymarkRequest] = []

        nonisolated func send(_ request: WaymarkRequest) async throws -> WaymarkResponse { try await receive(request) }

        private func receive(_ request: WaymarkRequest) async throws -> WaymarkResponse {
            sent.append(request)
            if isAway { throw URLError(.notConnectedToInternet) }
            return try await URLSessionTransport().send(request)
        }

        var paths: [String] { sent.map(\.url.path) }
    }

    @MainActor func keepsLinksWithoutANetwork() async throws {
        try await setLevel("signedInUser")
        let network = Network()
        var stored: String?
        let user = user
        func make() -> WaymarkNavigator<AppRoute> {
            WaymarkNavigator(
                client: WaymarkClient(server: server, user: user, transport: network),
                first: home,
                stored: stored,
                store: { stored = $0 }
            )
        }
        var navigator = make()
        let (link, begin) = ("navigation:/onboarding/step1", Date.now)
        try check(await navigator.open(link, arrival: .pasted) == .failed)
        try check(navigator.pending?.reason == .unanswered && navigator.pending?.link == link && navigator.problem?.status == 0)
        let time = navigator.pending?.openedAt
        try check(time.map { begin <= $0 && $0 <= .now } == true)
        navigator.clearProblem()
        try check(navigator.problem == nil && navigator.pending?.link == link)
        try check(await navigator.link == nil)

        navigator = make()
        try check(navigator.pending?.reason == .unanswered && navigator.pending?.openedAt == time)
        try check(await navigator.resume() == .failed)
        try check(navigator.pending?.openedAt == time && navigator.problem?.status == 0)
        network.isAway = false
        try check(await navigator.resume() == .shown)
        let last = try JSONDecoder().decode([String: WaymarkJSON].self, from: network.sent.last?.body ?? Data())
        try check(last["arrival"] == .string("pasted"))
        try check(navigator.pending == nil && stored == nil && navigator.problem == nil)

        // That of the plan takes no request, that of the app's own step one.
        let count = network.sent.count
        try check(await navigator.link == "navigation:///onboarding/step1")
        try check(network.sent.count == count)
        try check(await navigator.open("navigation:/nowhere") == .failed)
        navigator.push(.step2)
        try check(navigator.problem == nil)
        for _ in 0..<2 { try check(await navigator.link == "navigation://loremipsum.com/onboarding/step1/step2") }
        try check(network.paths.dropFirst(count) == ["/v1/resolve", "/v1/links"], "\(network.paths)")
        // A stack is opened by its link, and a refused one waits for its user.
        let sheet = WaymarkDestination(AppRoute.characterSheet(.init(title: "x")), presentation: .sheet)
        let stack = home + [WaymarkDestination(.character(.init(id: 7)), presentation: .push), sheet]
        try check(await navigator.open(stack) == .gated)
        try check(navigator.pending?.reason == .refused)
        try check(navigator.pending?.link == "navigation://loremipsum.com/characters/character/7?sheet=x")
        try check(await navigator.link == navigator.denial?.gate?.link)
        try check(await navigator.open([sheet]) == .failed)
        try check(navigator.problem?.code == "no-link")
        try check(Set(network.sent.map { $0.fields["Waymark-App"] }) == ["ios/0"])

        let gate = String(decoding: try JSONEncoder().encode(home), as: UTF8.self)
        let old = PendingLink<AppRoute>(text: #"{"link":"x:/","mode":"append","from":[],"user":"u","token":"x.y","gate":\#(gate)}"#)
        try check(old?.reason == .refused && old?.openedAt == nil && old?.token == "x.y" && old?.gate == home)
    }

    func tellsProblemsAndBuildsLinks() async throws {
        let client = client(server)
        guard case .problem(let problem) = try await client.resolve("navigation:/charcters") else {
            throw Failure(what: "no problem", line: #line)
        }
        try check(problem.code == "no-matching-route" && problem.status == 404)
        let stack = [WaymarkDestination(AppRoute.tabBar, presentation: .root), WaymarkDestination(.episodes, presentation: .tab)]
        let link = try await client.link(to: stack, scheme: "navigation")
        try check(link == "navigation://loremipsum.com/episodes", link)
        do {
            _ = try await client.link(to: [])
            throw Failure(what: "a link to nothing", line: #line)
        } catch let problem as WaymarkProblem {
            try check(problem.code == "invalid-request")
        }
    }

    func namesAnotherApp() throws {
        let members: [String: WaymarkJSON] = [
            "type": .string("urn:waymark:problem:other-app"), "route": .string("trips"), "app": .string("rider"),
            "appVersion": .string("driver.ios/9"), "link": .string("ride:///trips"),
        ]
        let problem = WaymarkProblem(members: members, status: 403)
        let other = WaymarkOtherApp(route: "trips", app: "rider", link: "ride:///trips", storeLink: nil)
        try check(problem.otherApp == other && problem.appUpdate == nil, "\(problem)")
    }

    func saysItsVersion() async throws {
        let link = "navigation:/onboarding/step2"
        guard case .problem(let problem) = try await client(server, app: "ios/3.1.9").resolve(link) else {
            throw Failure(what: "no update", line: #line)
        }
        try check(problem.status == 403)
        try check(
            problem.appUpdate
                == WaymarkUpdate(
                    route: "step2",
                    platform: "ios",
                    requiredVersion: "3.2",
                    appVersion: "3.1.9",
                    storeLink: "https://apps.apple.com/app/id123456789"
                ),
            "\(problem)"
        )
        guard case .plan(let plan) = try await client(server).resolve(link),
            case .plan(let new) = try await client(server, app: "ios/3.2").resolve(link)
        else { throw Failure(what: "no plan", line: #line) }
        try check(plan.requiresApp == ["ios": "3.2", "android": "4.0"] && new.requiresApp == nil)

        // A gate that the app is too old for has no stack.
        let version = try await setLevel("signedInUser")
        let sheet = "navigation:/characters/character/1?sheet=x"
        let answer = try await client(server, app: "ios/8").resolve(sheet, userVersion: version)
        guard case .denied(let denial) = answer, let gate = denial.gate, let token = denial.continuation else {
            throw Failure(what: "no denial", line: #line)
        }
        try check(gate.stack.isEmpty && gate.transition == nil && gate.level == "premiumUser")
        guard case .denied(let again) = try await client(server, app: "ios/9").redeem(token) else {
            throw Failure(what: "no denial", line: #line)
        }
        try check(again.gate?.stack.last?.route.known == .profile)
    }

    func triesOnceMore(_ flaky: URL) async throws {
        guard case .plan = try await client(flaky).resolve("navigation:/onboarding") else {
            throw Failure(what: "no plan", line: #line)
        }
        do {
            _ = try await client(URL(string: "http://127.0.0.1:9") ?? server).resolve("navigation:/onboarding")
            throw Failure(what: "an answer of nobody", line: #line)
        } catch let failure as Failure {
            throw failure
        } catch {}
    }
}

let environment = ProcessInfo.processInfo.environment
guard let server = environment["SERVER"].flatMap(URL.init(string:)),
    let flaky = environment["FLAKY"].flatMap(URL.init(string:))
else { exit(64) }
let checks = Check(server: server)
do {
    try await checks.resolvesAndRedeems()
    try checks.keepsTheStacksOfTabs()
    try await checks.waitsForLateLevels()
    try await checks.keepsLinksWithoutANetwork()
    try await checks.tellsProblemsAndBuildsLinks()
    try checks.namesAnotherApp()
    try await checks.saysItsVersion()
    try await checks.triesOnceMore(flaky)
    print("swift: the client resolves, is refused, redeems, keeps links, tells problems, says its version, builds links, tries once more")
} catch {
    print("swift: \(error)")
    exit(1)
}
