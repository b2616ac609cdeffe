// Waymark's runtime: from a link to the screen, across gates, lost responses and restarts of the app. iOS 17, macOS 14
// and newer.

#if canImport(Foundation)
public import Foundation
public import Observation

/// The outcome of opening a link.
public nonisolated enum WaymarkOutcome: String, Hashable, Sendable {
    /// The stack of the link is shown, as far as this version of the app knows its routes.
    case shown

    /// The user was refused, and the gate is shown.
    case gated

    /// The server responded with a problem, or not at all (the link then waits), and the screen is unchanged.
    case failed

    /// Nothing was done: no link was pending, or another link, the user or the end of the session came first.
    case superseded
}

/// The state that an app shows, controlled by links, by the app's own buttons and by the system.
///
/// ``open(_:mode:userVersion:arrival:)`` and ``resume(waiting:userVersion:)`` do not throw errors. Errors are in
/// ``problem``.
@MainActor @Observable
public final class WaymarkNavigator<Route: WaymarkRoute> {
    /// The current state.
    public private(set) var state: NavigationState<Route>

    /// The link that waits, at a gate or for a response.
    public private(set) var pending: PendingLink<Route>?

    /// The problem of the last link, for the app to show, with status 0 if no response arrived.
    ///
    /// The user's next own step clears it, and so does ``clearProblem()``.
    public private(set) var problem: WaymarkProblem?

    /// The last denial, with what the user lacks.
    public private(set) var denial: WaymarkDenial<Route>?

    /// The update that the last link requires, if this version of the app is too old for it.
    public var update: WaymarkUpdate? { problem?.appUpdate }

    /// The first destination of the last plan that this version of the app doesn't know, so that the app can ask for an
    /// update.
    public private(set) var unrecognized: UnrecognizedRoute?

    /// The record of the deferred deep link.
    ///
    /// Signing out clears it. Store its text afterwards.
    @ObservationIgnored public var arrivals: ArrivalRecord?

    @ObservationIgnored private let client: WaymarkClient<Route>
    @ObservationIgnored private let first: [WaymarkDestination<Route>]
    @ObservationIgnored private let store: @MainActor (String?) -> Void
    @ObservationIgnored private let wait: @MainActor (Duration) async -> Void

    /// The number of links that were opened and resumed.
    ///
    /// Only the last one's response counts.
    @ObservationIgnored private var turn = 0

    /// A stack with its link: the last one from a link, a gate or a response to ``link``.
    @ObservationIgnored private var known: (stack: [WaymarkDestination<Route>], link: String)?

    /// Creates a navigator.
    ///
    /// - Parameters:
    ///   - client: the client of the server.
    ///   - first: the first stack of the app, shown again when the user signs out.
    ///   - state: a saved state that is shown instead of `first`.
    ///   - stored: the text that was last passed to `store`, in this launch or an earlier one.
    ///   - store: stores the pending link. The argument is `nil` if no link is pending any more.
    ///   - wait: waits, for the pauses of ``resume(waiting:userVersion:)`` and for the system to dismiss a layer.
    public init(
        client: WaymarkClient<Route>,
        first: [WaymarkDestination<Route>],
        state: NavigationState<Route>? = nil,
        stored: String? = nil,
        store: @escaping @MainActor (String?) -> Void = { _ in },
        wait: @escaping @MainActor (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.client = client
        self.first = first
        self.state = state ?? NavigationState(stack: first)
        self.pending = PendingLink(text: stored)
        self.store = store
        self.wait = wait
    }

    /// The link of the current stack, for share sheets and Handoff.
    ///
    /// It is the link of the plan or the gate as long as that is shown, and the server's response otherwise. It is
    /// `nil` for a stack that no link opens, and if no response arrives.
    public var link: String? {
        get async {
            let stack = state.stack
            if let known, known.stack == stack { return known.link }
            guard let link = try? await client.link(to: stack) else { return nil }
            if stack == state.stack { known = (stack, link) }
            return link
        }
    }

    /// Clears the problem of the last link.
    public func clearProblem() {
        if problem != nil { problem = nil }
    }

    // MARK: The app's own buttons, and the gestures of the system

    /// Pushes a route onto the top destination.
    public func push(_ route: Route) { step { $0.push(WaymarkDestination(route, presentation: .push)) } }

    /// Presents a route.
    public func present(_ route: Route, as presentation: WaymarkPresentation) {
        present(WaymarkDestination(route, presentation: presentation))
    }

    /// Presents a destination by its presentation.
    public func present(_ destination: WaymarkDestination<Route>) { step { $0.present(destination) } }

    /// Selects a tab and restores its stack.
    ///
    /// `index` is the index of the tabs in the flat path.
    public func select(_ tab: Route, at index: Int? = nil) {
        select(WaymarkDestination(tab, presentation: .tab), at: index)
    }

    /// Selects the tab of a destination.
    public func select(_ tab: WaymarkDestination<Route>, at index: Int? = nil) { step { $0.select(tab, at: index) } }

    /// Dismisses the top destination.
    ///
    /// If this closes a gate, the pending link is canceled.
    public func dismiss() { close { $0.dismiss() } }

    /// Dismisses all destinations of the flat path after the first `count`.
    ///
    /// If this closes a gate, the pending link is canceled.
    public func dismiss(to count: Int) { close { $0.dismiss(to: count) } }

    /// Sets the pushes over the opener at an index of the flat path, as reported by the system.
    public func setPath(of index: Int, to pushes: [WaymarkDestination<Route>]) {
        close { $0.setPath(of: index, to: pushes) }
    }

    /// Shows one of the app's own states.
    ///
    /// A gate that it lacks is closed.
    public func restore(_ state: NavigationState<Route>) { close { $0 = state } }

    /// Ends the session: clears the pending link, tabs, layers and the deferred deep link, and drops outstanding
    /// responses.
    public func signOut() {
        turn += 1
        arrivals?.signedOut()
        keep(nil)
        (problem, denial, unrecognized) = (nil, nil, nil)
        state = NavigationState(stack: first)
    }

    // MARK: Links

    /// Opens a link, or sends a user without the required level to the gate.
    ///
    /// A link without a response waits for ``resume(waiting:userVersion:)``.
    @discardableResult
    public func open(
        _ link: String,
        mode: WaymarkClient<Route>.Mode = .replace,
        userVersion: Int? = nil,
        arrival: WaymarkClient<Route>.Arrival? = nil
    ) async -> WaymarkOutcome {
        let (client, user, time) = (client, client.currentUser, Date.now)
        let found = await ask { shown in
            try await client.resolve(link, from: shown, mode: mode, userVersion: userVersion, arrival: arrival)
        }
        guard let (answer, shown) = found else { return .superseded }
        if case .plan = answer, pending?.link == link, pending?.mode == mode { keep(nil) }
        let waiting = PendingLink(link, mode: mode, from: shown, user: user, at: time, arrival: arrival)
        if answer.isPassing { keep(waiting) }
        return await take(answer) { waiting.refused($0) }
    }

    /// Opens a stack by its own link, for a button of the app whose destination may be behind a gate.
    @discardableResult
    public func open(_ stack: [WaymarkDestination<Route>]) async -> WaymarkOutcome {
        turn += 1
        let turn = turn
        let link: String
        do {
            link = try await client.link(to: stack)
        } catch {
            return turn == self.turn ? fail(Self.problem(of: error)) : .superseded
        }
        return turn == self.turn ? await open(link) : .superseded
    }

    /// Opens a link that the system delivers.
    @discardableResult
    public func open(_ url: URL) async -> WaymarkOutcome { await open(url.absoluteString) }

    /// Opens a link that continues from the top of the current stack.
    @discardableResult
    public func append(_ link: String) async -> WaymarkOutcome { await open(link, mode: .append) }

    /// Resolves the pending link again, after the user obtained the required level, or when the network may be
    /// available.
    ///
    /// A link without a response is no longer pending after the first response.
    ///
    /// - Parameters:
    ///   - time: the approximate time for which the link is resolved again, with growing pauses, while the same gate is
    ///     returned. Use it for levels that arrive later, for example after a purchase.
    ///   - userVersion: the version of the user's state that the write of the level returned, if the app knows it.
    /// - Returns: the outcome of the last response.
    @discardableResult
    public func resume(waiting time: Duration = .zero, userVersion: Int? = nil) async -> WaymarkOutcome {
        var (waited, pause) = (Duration.zero, Duration.milliseconds(500))
        while true {
            guard let pending else { return .superseded }
            let found = await ask { [client] shown in
                try await Self.resolve(pending, by: client, showing: shown, userVersion: userVersion)
            }
            guard let (answer, _) = found, self.pending == pending else { return .superseded }
            guard waited < time, answer.mayChange(for: pending) else {
                if answer.ends(pending) { keep(nil) }
                return await take(answer) { [client] denial in
                    var next = pending.refused(denial)
                    next.user = client.currentUser
                    return next
                }
            }
            let turn = turn
            pause = min(pause, time - waited)
            await wait(pause)
            guard turn == self.turn, self.pending == pending else { return .superseded }
            waited += pause
            pause = pause * 2
        }
    }

    /// Redeems the token of a pending link, or resolves the link if it cannot be redeemed.
    private nonisolated static func resolve(
        _ pending: PendingLink<Route>,
        by client: WaymarkClient<Route>,
        showing shown: [WaymarkDestination<Route>],
        userVersion: Int?
    ) async throws -> WaymarkAnswer<Route> {
        let isOwn = pending.user == nil || pending.user == client.currentUser
        if let token = pending.token, isOwn, await client.hasUser {
            let answer = try await client.redeem(token, from: shown, userVersion: userVersion)
            guard case .problem(let problem) = answer, problem.status == 400 || problem.status == 410 else {
                return answer
            }
        }
        let from = pending.mode == .append ? pending.from : shown
        return try await client.resolve(
            pending.link,
            from: from,
            mode: pending.mode,
            userVersion: userVersion,
            // A refused link was already counted.
            arrival: pending.reason == .unanswered ? pending.arrival : nil
        )
    }

    /// Sends a request, once more if the user navigated meanwhile, or returns `nil` if the response is out of date.
    private func ask(
        _ question: @Sendable ([WaymarkDestination<Route>]) async throws -> WaymarkAnswer<Route>
    ) async -> (answer: WaymarkAnswer<Route>, shown: [WaymarkDestination<Route>])? {
        turn += 1
        let turn = turn
        for attempt in 0... {
            let shown = state.stack
            let answer: WaymarkAnswer<Route>
            do {
                answer = try await question(shown)
            } catch {
                answer = .problem(Self.problem(of: error))
            }
            guard turn == self.turn else { return nil }
            if case .problem = answer { return (answer, shown) }
            if attempt > 0 || shown == state.stack { return (answer, shown) }
        }
        return nil
    }

    private func take(
        _ answer: WaymarkAnswer<Route>,
        refused: (WaymarkDenial<Route>) -> PendingLink<Route>
    ) async -> WaymarkOutcome {
        (problem, denial, unrecognized) = (nil, nil, nil)
        switch answer {
        case .plan(let plan):
            unrecognized = plan.firstUnrecognized
            await show(plan.stack, plan.canonicalLink)
            return .shown
        case .denied(let denial):
            self.denial = denial
            keep(refused(denial))
            await show(denial.gate?.stack ?? [], denial.gate?.link)
            return .gated
        case .problem(let problem): return fail(problem)
        }
    }

    private func fail(_ problem: WaymarkProblem) -> WaymarkOutcome {
        self.problem = problem
        return .failed
    }

    /// Returns the problem of a failed request, with status 0 if no response arrived.
    private static func problem(of error: any Error) -> WaymarkProblem {
        error as? WaymarkProblem ?? WaymarkProblem(members: ["detail": .string("\(error)")], status: 0)
    }

    /// Shows the part of a stack that this version of the app knows, or nothing if that is empty.
    ///
    /// All changes are made at once, with one exception: the system cannot present a layer while it dismisses another
    /// one.
    private func show(_ stack: [WaymarkDestination<Route>], _ link: String?) async {
        let shown = Array(stack.prefix { $0.route.known != nil })
        guard !shown.isEmpty else { return }
        if let link { known = (shown, link) }
        let steps = state.steps(to: shown)
        let before = state.layers.count
        if let dismissal = steps.lastIndex(where: \.dismisses), steps[dismissal...].contains(where: \.presents) {
            let turn = turn
            var lower = state
            for step in steps[...dismissal] { lower.perform(step) }
            if lower.layers.count < before {
                state = lower
                await wait(.milliseconds(350))
                guard turn == self.turn else { return }
            }
        }
        state.show(shown)
    }

    private func close(_ change: (inout NavigationState<Route>) -> Void) {
        var next = state
        change(&next)
        let gate = pending?.gate ?? []
        if !gate.isEmpty, state.stack.starts(with: gate), !next.stack.starts(with: gate) {
            denial = nil
            keep(nil)
        }
        clearProblem()
        state = next
    }

    /// Makes a change of the user's, and clears the problem of an earlier link.
    private func step(_ change: (inout NavigationState<Route>) -> Void) {
        clearProblem()
        change(&state)
    }

    private func keep(_ next: PendingLink<Route>?) {
        guard next != nil || pending != nil else { return }
        pending = next
        store(next?.text)
    }
}

nonisolated extension NavigationStep {
    fileprivate var dismisses: Bool { if case .dismissLayer = self { true } else { false } }

    fileprivate var presents: Bool { if case .present = self { true } else { false } }
}

nonisolated extension WaymarkAnswer {
    /// Whether the problem is temporary: no response arrived, or the server is unavailable or overloaded.
    fileprivate var isPassing: Bool {
        guard case .problem(let problem) = self else { return false }
        return problem.status == 0 || problem.status == 429 || problem.status >= 500
    }

    /// Returns whether a pending link is complete: allowed, not found for any user, or answered at last.
    fileprivate func ends(_ pending: PendingLink<Route>) -> Bool {
        switch self {
        case .plan: true
        case .denied: false
        case .problem where pending.reason == .unanswered: !isPassing
        case .problem(let problem): problem.status == 404 || problem.status == 422
        }
    }

    /// Returns whether a later response can differ: the same gate is returned, or the problem is temporary.
    fileprivate func mayChange(for pending: PendingLink<Route>) -> Bool {
        guard case .denied(let denial) = self else { return isPassing }
        return pending.reason == .refused && denial.gate?.stack.last == pending.gate.last
    }
}
#endif
