// Waymark's runtime: the way from a link to the screen, over gates, lost answers and restarts of the app.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

import kotlin.coroutines.cancellation.CancellationException

/** A link that was refused, until the user has obtained what it requires or gives it up. */
data class PendingLink<Route : WaymarkRoute>(
    val link: String,
    /** `replace` or `append`. */
    val mode: String,
    /** The stack that was shown when the link was opened; a link of the mode `append` continues from it. */
    val from: List<WaymarkDestination<Route>>,
    /** The user who was refused; null for nobody. */
    val user: String?,
    /** The continuation, if the server issued one. */
    val token: String?,
    /** The stack of the gate that the user was sent to; closing it gives the link up. */
    val gate: List<WaymarkDestination<Route>>,
) {
    /** Returns the link in the format that is stored. */
    fun toText(): String = WaymarkJson.write(
        mapOf(
            "link" to link, "mode" to mode, "from" to from.map { it.toJson() }, "user" to user, "token" to token,
            "gate" to gate.map { it.toJson() },
        ).filterValues { it != null },
    )

    companion object {
        /** Reads a stored link; null for no text, and for one in another format. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, text: String?): PendingLink<Route>? = try {
            val members = WaymarkJson.read(text.orEmpty()) as? Map<*, *>
            val link = members?.get("link") as? String
            val mode = (members?.get("mode") as? String)?.takeIf { it == "replace" || it == "append" }
            if (members == null || link == null || mode == null) null else PendingLink(
                link, mode, WaymarkDestination.readStack(table, members["from"]), members["user"] as? String,
                members["token"] as? String, WaymarkDestination.readStack(table, members["gate"]),
            )
        } catch (_: WaymarkFormatException) {
            null
        }
    }
}

/** The outcome of a link. */
enum class WaymarkOutcome {
    /** The stack of the link is shown, or as much of it as this version of the app knows. */
    Shown,

    /** The user was refused, and the gate is shown. */
    Gated,

    /** The server answered with a problem, or not at all; nothing changed. */
    Failed,

    /** Nothing was done: there is no pending link, or another link, the user or the end of the session was faster. */
    Superseded,
}

/**
 * The state that an app shows, controlled by links, by the app's own buttons and by the system.
 *
 * Call it from one thread, that of the screen. Nothing escapes as an exception from [open] and [resume]: what went wrong
 * is in [problem].
 */
class WaymarkNavigator<Route : WaymarkRoute>(
    table: RouteTable<Route>,
    private val client: WaymarkClient<Route>,
    /** The stack that the app begins with, and goes back to when the user signs out. */
    private val first: List<WaymarkDestination<Route>>,
    /** A state that was saved; it takes the place of [first] at the start. */
    state: NavigationState<Route> = NavigationState.of(first),
    /** The text that [store] was called with last, over launches. */
    stored: String? = null,
    /** Stores the pending link; called with null when there is none any more. */
    private val store: (String?) -> Unit = {},
    /** The record of the link that led to the installation; signing out clears it. Store its text afterwards. */
    private val arrivals: ArrivalRecord? = null,
    /** Waits for a number of milliseconds: `::delay` of kotlinx.coroutines. */
    private val pause: suspend (Long) -> Unit,
    /** Called after every change. */
    private val onChange: (WaymarkNavigator<Route>) -> Unit = {},
) {
    /** What the app shows. */
    var state: NavigationState<Route> = state
        private set

    /** The link that waits behind a gate. */
    var pending: PendingLink<Route>? = PendingLink.read(table, stored)
        private set

    /** The problem of the last link, for the app to show; status 0 if no answer arrived. */
    var problem: WaymarkProblem? = null
        private set

    /** The last denial, for the app to say what is missing. */
    var denial: WaymarkDenial<Route>? = null
        private set

    /** The first destination of the last plan that this version of the app doesn't know: ask for an update. */
    var unrecognized: UnrecognizedRoute? = null
        private set

    /** Counts the links that were opened and resumed: only the answer to the last one counts. */
    private var turn = 0

    // The app's own buttons, and the gestures of the system

    /** Pushes a route onto the top destination. */
    fun push(route: Route) = show(state.push(WaymarkDestination(route, WaymarkPresentation.Push)))

    /** Presents a destination as it says. */
    fun present(destination: WaymarkDestination<Route>) = show(state.present(destination))

    /** Selects a tab, which has its stack again; [at] is the index of the tabs in the flat path. */
    fun select(tab: WaymarkDestination<Route>, at: Int? = null) =
        show(if (at == null) state.select(tab) else state.select(tab, at))

    /**
     * Dismisses the top destination, or with a [count] all but the first ones of the flat path. A gate that is closed by
     * it gives the pending link up.
     */
    fun dismiss(count: Int? = null) = close(if (count == null) state.dismiss() else state.dismiss(count))

    /** Sets the pushes over the opener at an index of the flat path, as the system reports them. */
    fun setPath(pushes: List<WaymarkDestination<Route>>, at: Int) = close(state.setting(pushes, at))

    /** Shows a state of the app's own. A gate that it lacks is closed. */
    fun restore(state: NavigationState<Route>) = close(state)

    /** Ends the session: the pending link, tabs, layers and arrivals are cleared, and answers under way dropped. */
    fun signOut() {
        turn += 1
        arrivals?.signedOut()
        keep(null)
        clear()
        show(NavigationState.of(first))
    }

    // Links

    /** Opens a link; a user who lacks a level is sent to the gate. */
    suspend fun open(
        link: String,
        mode: String = "replace",
        userVersion: Long? = null,
        arrival: String? = null,
    ): WaymarkOutcome {
        val user = client.currentUser
        val (answer, from) = ask({ true }) { client.resolve(link, it, mode, userVersion, arrival) }
            ?: return WaymarkOutcome.Superseded
        if (answer is WaymarkAnswer.Plan && pending?.link == link && pending?.mode == mode) keep(null)
        return take(answer) {
            PendingLink(link, mode, from, user, it.continuation, it.gate?.stack.orEmpty())
        }
    }

    /** Opens a link that continues from the top of what is shown. */
    suspend fun append(link: String): WaymarkOutcome = open(link, mode = "append")

    /**
     * Resolves the pending link again, after the user obtained what it requires.
     *
     * [waiting] is for levels that arrive later, such as those of a purchase: while the same gate answers, the link is
     * resolved again for about as many milliseconds, with growing pauses. [userVersion] is the version of the user that
     * the write of the level returned.
     */
    suspend fun resume(waiting: Long = 0, userVersion: Long? = null): WaymarkOutcome {
        var waited = 0L
        var wait = 500L
        while (true) {
            val pending = pending ?: return WaymarkOutcome.Superseded
            val (answer, _) = ask({ this.pending === pending }) { resolve(pending, it, userVersion) }
                ?: return WaymarkOutcome.Superseded
            val mayChange = when (answer) {
                is WaymarkAnswer.Denied -> isSameGate(answer.denial, pending)
                is WaymarkAnswer.Failed -> isPassing(answer.problem)
                is WaymarkAnswer.Plan -> false
            }
            if (!mayChange || waited >= waiting) {
                if (answer is WaymarkAnswer.Plan || isGone(answer)) keep(null)
                return take(answer) { refusedAgain(pending, it) }
            }
            val turn = turn
            wait = minOf(wait, waiting - waited)
            pause(wait)
            if (turn != this.turn || this.pending !== pending) return WaymarkOutcome.Superseded
            waited += wait
            wait *= 2
        }
    }

    private fun refusedAgain(pending: PendingLink<Route>, denial: WaymarkDenial<Route>): PendingLink<Route> = pending.copy(
        user = client.currentUser,
        token = denial.continuation ?: pending.token,
        gate = denial.gate?.stack.orEmpty(),
    )

    /** Redeems the token of a pending link; resolves the link where that cannot be done. */
    private suspend fun resolve(
        pending: PendingLink<Route>,
        shown: List<WaymarkDestination<Route>>,
        userVersion: Long?,
    ): WaymarkAnswer<Route> {
        val isOwn = pending.user == null || pending.user == client.currentUser
        if (pending.token != null && isOwn && client.hasUser()) {
            val answer = client.redeem(pending.token, shown, userVersion)
            if (answer !is WaymarkAnswer.Failed || (answer.problem.status != 400 && answer.problem.status != 410)) return answer
        }
        val from = if (pending.mode == "append") pending.from else shown
        return client.resolve(pending.link, from, pending.mode, userVersion)
    }

    /** Asks, and asks once more if the user went elsewhere meanwhile; null if the answer counts no more. */
    private suspend fun ask(
        counts: () -> Boolean,
        question: suspend (List<WaymarkDestination<Route>>) -> WaymarkAnswer<Route>,
    ): Pair<WaymarkAnswer<Route>, List<WaymarkDestination<Route>>>? {
        turn += 1
        val turn = turn
        var isLast = false
        while (true) {
            val from = state.stack
            val answer = try {
                question(from)
            } catch (cancelled: CancellationException) {
                throw cancelled
            } catch (error: Exception) {
                WaymarkAnswer.Failed(WaymarkProblem("", 0, error.toString(), emptyMap()))
            }
            if (turn != this.turn || !counts()) return null
            if (isLast || answer is WaymarkAnswer.Failed || isSameStack(from, state.stack)) return answer to from
            isLast = true
        }
    }

    private fun take(answer: WaymarkAnswer<Route>, refused: (WaymarkDenial<Route>) -> PendingLink<Route>): WaymarkOutcome {
        clear()
        return when (answer) {
            is WaymarkAnswer.Plan -> {
                unrecognized = answer.plan.firstUnrecognized
                show(reached(answer.plan.stack))
                WaymarkOutcome.Shown
            }
            is WaymarkAnswer.Denied -> {
                denial = answer.denial
                keep(refused(answer.denial))
                show(reached(answer.denial.gate?.stack.orEmpty()))
                WaymarkOutcome.Gated
            }
            is WaymarkAnswer.Failed -> {
                problem = answer.problem
                onChange(this)
                WaymarkOutcome.Failed
            }
        }
    }

    /** An empty screen would explain nothing: what has no stack for this app changes none. */
    private fun reached(stack: List<WaymarkDestination<Route>>): NavigationState<Route> {
        val known = stack.takeWhile { it.known != null }
        return if (known.isEmpty()) state else state.showing(known)
    }

    private fun close(next: NavigationState<Route>) {
        val gate = pending?.gate.orEmpty()
        if (isShown(gate, state) && !isShown(gate, next)) {
            denial = null
            keep(null)
        }
        show(next)
    }

    private fun show(next: NavigationState<Route>) {
        state = next
        onChange(this)
    }

    private fun keep(next: PendingLink<Route>?) {
        if (next == null && pending == null) return
        pending = next
        store(next?.toText())
    }

    private fun clear() {
        problem = null
        denial = null
        unrecognized = null
    }

    private fun isShown(gate: List<WaymarkDestination<Route>>, state: NavigationState<Route>): Boolean =
        gate.isNotEmpty() && commonCount(gate, state.stack) == gate.size
}

/** Returns whether a problem passes by itself: no answer arrived, or the server is away or overloaded. */
private fun isPassing(problem: WaymarkProblem): Boolean =
    problem.status == 0 || problem.status == 429 || problem.status >= 500

/** Returns whether a link leads nowhere any more, for whoever asks. */
private fun isGone(answer: WaymarkAnswer<*>): Boolean =
    answer is WaymarkAnswer.Failed && (answer.problem.status == 404 || answer.problem.status == 422)

private fun isSameStack(one: List<WaymarkDestination<*>>, two: List<WaymarkDestination<*>>): Boolean =
    one.size == two.size && commonCount(one, two) == one.size

/** Returns whether a denial sends to the gate that the user was sent to before, over whatever is shown. */
private fun isSameGate(denial: WaymarkDenial<*>, pending: PendingLink<*>): Boolean =
    isSameStack(denial.gate?.stack.orEmpty().takeLast(1), pending.gate.takeLast(1))
