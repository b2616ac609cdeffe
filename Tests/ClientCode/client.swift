// swift-format-ignore-file
// What is generated for the sample app in Swift, with a server: `scripts/generated-check` compiles and runs it.
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

    func setLevel(_ level: String) async throws {
        var request = URLRequest(url: server.appendingPathComponent("v1/users/\(user)"))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"authorizationLevel":"\#(level)"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (_, response) = try await URLSession.shared.data(for: request)
        try check((response as? HTTPURLResponse).map { $0.statusCode < 300 } == true)
    }

    func client(_ url: URL) -> WaymarkClient<AppRoute> { WaymarkClient(server: url, user: user) }

    func resolvesAndRedeems() async throws {
        try await setLevel("signedInUser")
        let client = client(server)
        var state = NavigationState<AppRoute>()
        guard case .plan(let plain) = try await client.resolve("navigation:/characters/character/1", from: state.from)
        else { throw Failure(what: "no plan", line: #line) }
        _ = try state.apply(plain)
        try check(state.stack == plain.stack)
        try check(plain.stack[2] == Destination(.character(.init(id: 1)), presentation: .push))
        try check(title(plain.stack[2].route.known ?? .settings) == "character 1")

        let link = "navigation:/characters/character/1?sheet=x"
        guard case .denied(let denial) = try await client.resolve(link, from: state.from), let gate = denial.gate,
            let token = denial.continuation, let way = gate.transition
        else { throw Failure(what: "no denial", line: #line) }
        try check(gate.level == "premiumUser" && denial.userLevel == "signedInUser")
        var gated = state
        _ = try gated.apply(way)
        try check(gated.stack == gate.stack)

        try await setLevel("premiumUser")
        guard case .plan(let granted) = try await client.redeem(token) else {
            throw Failure(what: "not granted", line: #line)
        }
        _ = try state.apply(granted)
        try check(state.stack.count == 4 && state.layers.count == 3)

        // The user swipes the sheet away while an answer is on its way.
        guard case .plan(let late) = try await client.resolve("navigation:/episodes", from: state.from) else {
            throw Failure(what: "no plan", line: #line)
        }
        state.userDismissed(to: 3)
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

    func tellsProblemsAndBuildsLinks() async throws {
        let client = client(server)
        guard case .problem(let problem) = try await client.resolve("navigation:/charcters") else {
            throw Failure(what: "no problem", line: #line)
        }
        try check(problem.code == "no-matching-route" && problem.status == 404)
        let stack = [Destination(AppRoute.tabBar, presentation: .root), Destination(.episodes, presentation: .tab)]
        let link = try await client.link(to: stack, scheme: "navigation")
        try check(link == "navigation://loremipsum.com/episodes", link)
        do {
            _ = try await client.link(to: [])
            throw Failure(what: "a link to nothing", line: #line)
        } catch let problem as Problem {
            try check(problem.code == "invalid-request")
        }
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
    try await checks.tellsProblemsAndBuildsLinks()
    try await checks.triesOnceMore(flaky)
    print("swift: the client resolves, is refused, redeems, tells problems, builds links and tries once more")
} catch {
    print("swift: \(error)")
    exit(1)
}
