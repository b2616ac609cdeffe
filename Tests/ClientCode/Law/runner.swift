// swift-format-ignore-file
// A navigator that does a command a line, for Tests/ClientCode/Law/law.py.
import Foundation

/// Any route: every destination is known.
struct AnyRoute: WaymarkRoute {
    static var catalogVersion: String { "" }
    let name: String
    let parameters: ParameterContainer

    init?(name: String, parameters: ParameterContainer) throws {
        self.name = name
        self.parameters = parameters
    }
}

typealias Stack = [WaymarkDestination<AnyRoute>]

struct Command: Decodable {
    let `do`: String
    let server, name, link, mode: String?
    let names: [String]?
    let first, pushes, stack: Stack?
    let destination: WaymarkDestination<AnyRoute>?
    let lose, waiting, at, count: Int?
    let restores: Bool?
    let meanwhile: [Command]?
}

struct Redemption: Encodable {
    let from: WaymarkJSON?
    let transition, stack: WaymarkJSON?
}

struct Reply: Encodable {
    let outcome: String?
    let stack: Stack
    let state: NavigationState<AnyRoute>
    let pending: PendingLink<AnyRoute>?
    let redemptions: [Redemption]
    let problem: Bool
}

struct Lost: Error {}

/// The user, which the client reads wherever it is.
final class User: @unchecked Sendable {
    var name: String?
    var holds: [String] = []
}

func say(_ json: Data) { FileHandle.standardOutput.write(json + Data("\n".utf8)) }

@MainActor final class Runner {
    let user = User()
    var server = URL(fileURLWithPath: "/")
    var first: Stack = []
    var stored: String?
    var lose = 0
    var meanwhile: [Command] = []
    var redemptions: [Redemption] = []
    var navigator: WaymarkNavigator<AnyRoute>?

    struct Transport: WaymarkTransport {
        let runner: Runner
        let http = URLSessionTransport()

        func send(_ request: WaymarkRequest) async throws -> WaymarkResponse {
            let response = try await http.send(request)
            return try await runner.receive(response, to: request)
        }
    }

    func receive(_ response: WaymarkResponse, to request: WaymarkRequest) async throws -> WaymarkResponse {
        let others = meanwhile
        meanwhile = []
        for other in others { _ = await perform(other) }
        if lose > 0 {
            lose -= 1
            throw Lost()
        }
        if request.url.path.hasSuffix("/v1/continuations"), response.status == 200 {
            let body = try JSONDecoder().decode([String: WaymarkJSON].self, from: request.body)
            let answer = try JSONDecoder().decode([String: WaymarkJSON].self, from: response.body)
            redemptions.append(Redemption(from: body["from"], transition: answer["transition"], stack: answer["stack"]))
        }
        return response
    }

    func begin(_ state: NavigationState<AnyRoute>? = nil) {
        let user = user
        navigator = WaymarkNavigator(
            client: WaymarkClient(server: server, user: user.name, holds: { user.holds }, transport: Transport(runner: self)),
            first: first,
            state: state,
            stored: stored,
            store: { self.stored = $0 },
            wait: { duration in
                // For the system there is nothing to wait for; else the next line is `go`.
                guard duration != .milliseconds(350) else { return }
                say(Data(#"{"paused":0}"#.utf8))
                _ = readLine()
            }
        )
    }

    /// Changes the text of the stored link, and reads it anew.
    func rewrite(_ change: (inout [String: WaymarkJSON]) -> Void) {
        if let text = stored, var link = try? JSONDecoder().decode([String: WaymarkJSON].self, from: Data(text.utf8)) {
            change(&link)
            stored = (try? JSONEncoder().encode(link)).map { String(decoding: $0, as: UTF8.self) }
        }
        begin(navigator?.state)
    }

    func perform(_ command: Command) async -> String? {
        guard command.do == "start" || navigator != nil else { return nil }
        switch command.do {
        case "start":
            server = command.server.flatMap { URL(string: $0) } ?? server
            (first, user.name, user.holds, stored) = (command.first ?? [], nil, [], nil)
            begin()
        case "restart":
            // A saved state is read from text, as after a launch.
            let text = try? JSONEncoder().encode(navigator?.state)
            begin(command.restores == true ? text.flatMap { try? JSONDecoder().decode(NavigationState.self, from: $0) } : nil)
        case "spoil": rewrite { $0["token"] = .string("x.y") }
        // As version 1.0 stored it.
        case "age": rewrite { ($0["reason"], $0["openedAt"]) = (nil, nil) }
        case "user": user.name = command.name
        case "hold": user.holds = command.names ?? []
        case "push": if let route = command.destination?.route.known { navigator?.push(route) }
        case "present": if let destination = command.destination { navigator?.present(destination) }
        case "select": if let destination = command.destination { navigator?.select(destination, at: command.at) }
        case "dismiss": if let count = command.count { navigator?.dismiss(to: count) } else { navigator?.dismiss() }
        case "setPath": navigator?.setPath(of: command.at ?? 0, to: command.pushes ?? [])
        case "signOut": navigator?.signOut()
        case "clearProblem": navigator?.clearProblem()
        case "link": return await navigator?.link ?? "none"
        case "show": return await navigator?.open(command.stack ?? []).rawValue
        case "open":
            return await navigator?.open(command.link ?? "", mode: command.mode == "append" ? .append : .replace).rawValue
        case "resume": return await navigator?.resume(waiting: .milliseconds(command.waiting ?? 0)).rawValue
        default: fatalError(command.do)
        }
        return nil
    }

    func run(_ line: String) async throws {
        let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
        (lose, meanwhile, redemptions) = (command.lose ?? 0, command.meanwhile ?? [], [])
        let outcome = await perform(command)
        let state = navigator?.state ?? NavigationState()
        let reply = Reply(
            outcome: outcome, stack: state.stack, state: state, pending: navigator?.pending,
            redemptions: redemptions, problem: navigator?.problem != nil
        )
        say(try JSONEncoder().encode(reply))
    }
}

let runner = Runner()
while let line = readLine() { try await runner.run(line) }
