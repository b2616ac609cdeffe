// Waymark's runtime: the way from a link to the screen, over gates, lost answers and restarts of the app.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

import kotlin.coroutines.cancellation.CancellationException

/** A link that waits until the user meets its requirements or gives it up, or until an answer arrives. */
data class PendingLink<Route : WaymarkRoute>(
    val link: String,
    /** `replace` or `append`. */
    val mode: String,
    /** The stack that was shown when the link was opened. A link of the mode `append` continues from it. */
    val from: List<WaymarkDestination<Route>>,
    /** The user of the link, or null. */
    val user: String?,
    /** The continuation, if the server issued one. */
    val token: String?,
    /** The stack of the gate that the user was sent to. Closing it gives the link up. Empty for an unanswered link. */
    val gate: List<WaymarkDestination<Route>>,
    /** The reason for which the link waits. */
    val reason: Reason = Reason.Refused,
    /** The time at which the link was opened, in milliseconds since 1970, or null for a link that version 1.0 stored. */
    val openedAt: Long? = null,
    /** The way in which the deferred deep link was found, or null for any other link. */
    val arrival: String? = null,
) {
    /** The reasons for which a link waits. */
    enum class Reason(internal val text: String) {
        /** The user was refused. */
        Refused("refused"),

        /** No answer arrived. */
        Unanswered("unanswered"),
    }

    /** Returns the link in the format that is stored. */
    fun toText(): String = WaymarkJson.write(
        mapOf(
            "link" to link, "mode" to mode, "reason" to reason.text, "openedAt" to openedAt, "arrival" to arrival, "from" to from.map { it.toJson() }, "user" to user, "token" to token,
            "gate" to gate.map { it.toJson() },
        ).filterValues { it != null },
    )

    companion object {
        /** Reads a stored link, or returns null without a text, and for one in another format. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, text: String?): PendingLink<Route>? = try {
            val members = WaymarkJson.read(text.orEmpty()) as? Map<*, *>
            val link = members?.get("link") as? String
            val mode = (members?.get("mode") as? String)?.takeIf { it == "replace" || it == "append" }
            if (members == null || link == null || mode == null) null else PendingLink(
                link, mode, WaymarkDestination.readStack(table, members["from"]), members["user"] as? String,
                members["token"] as? String, WaymarkDestination.readStack(table, members["gate"]),
                Reason.entries.find { it.text == members["reason"] } ?: Reason.Refused,
                Parameters.long(members["openedAt"]), members["arrival"] as? String,
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

    /** The server answered with a problem, or not at all: then the link waits. What is shown has not changed. */
    Failed,

    /** Nothing was done: no link is pending, or another link, the user or the end of the session was faster. */
    Superseded,
}

/**
 * The state that an app shows, controlled by links, by the app's own buttons and by the system.
 *
 * Call it from the main thread only. [open] and [resume] throw nothing: the error
 * is in [problem].
 */
class WaymarkNavigator<Route : WaymarkRoute>(
    table: RouteTable<Route>,
    private val client: WaymarkClient<Route>,
    /** The stack that the app begins with, and goes back to when the user signs out. */
    private val first: List<WaymarkDestination<Route>>,
    /** A saved state, which replaces [first] at the start. */
    state: NavigationState<Route> = NavigationState.of(first),
    /** The text that [store] was called with last, over launches. */
    stored: String? = null,
    /** Stores the pending link. Called with null when no link is pending any more. */
    private val store: (String?) -> Unit = {},
    /** The record of the deferred deep link. Signing out clears it. Store its text afterwards. */
    private val arrivals: ArrivalRecord? = null,
    /** Waits for a number of milliseconds: `::delay` of kotlinx.coroutines. */
    private val pause: suspend (Long) -> Unit,
    /** Called after every change. */
    private val onChange: (WaymarkNavigator<Route>) -> Unit = {},
) {
    /** What the app shows. */
    var state: NavigationState<Route> = state
        private set

    /** The link that waits, behind a gate or for an answer. */
    var pending: PendingLink<Route>? = PendingLink.read(table, stored)
        private set

    /**
     * The problem of the last link, for the app to show, with status 0 if no answer arrived. The user's next own step
     * clears it, and so does [clearProblem].
     */
    var problem: WaymarkProblem? = null
        private set

    /** The last denial, for the app to explain. */
    var denial: WaymarkDenial<Route>? = null
        private set

    /** The first destination of the last plan that this version of the app doesn't know: ask for an update. */
    var unrecognized: UnrecognizedRoute? = null
        private set

    /** Counts the links that were opened and resumed: only the answer to the last one counts. */
    private var turn = 0

    /** A stack with its link: the last one that a link, a gate or an answer to [link] gave. */
    private var known: Pair<List<WaymarkDestination<Route>>, String>? = null

    /**
     * Returns the link of the current stack, for share sheets and handoff: the link of the plan or the gate as long as
     * it is shown, otherwise the server's answer. Null for a stack without a link, and if no answer arrives.
     */
    suspend fun link(): String? {
        val stack = state.stack
        known?.let { (shown, link) -> if (isSameStack(shown, stack)) return link }
        val link = try {
            client.link(stack)
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (_: Exception) {
            return null
        }
        if (isSameStack(stack, state.stack)) known = stack to link
        return link
    }

    /** Clears the problem of the last link. */
    fun clearProblem() {
        if (problem == null) return
        problem = null
        onChange(this)
    }

    // The app's own buttons, and the gestures of the system

    /** Pushes a route onto the top destination. */
    fun push(route: Route) = step(state.push(WaymarkDestination(route, WaymarkPresentation.Push)))

    /** Presents a destination as it says. */
    fun present(destination: WaymarkDestination<Route>) = step(state.present(destination))

    /** Selects a tab, which has its stack again. [at] is the index of the tabs in the flat path. */
    fun select(tab: WaymarkDestination<Route>, at: Int? = null) =
        step(if (at == null) state.select(tab) else state.select(tab, at))

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

    /** Opens a link. A user without the required level is sent to the gate. A link without an answer waits for [resume]. */
    suspend fun open(
        link: String,
        mode: String = "replace",
        userVersion: Long? = null,
        arrival: String? = null,
    ): WaymarkOutcome {
        val user = client.currentUser
        val openedAt = System.currentTimeMillis()
        val (answer, from) = ask({ true }) { client.resolve(link, it, mode, userVersion, arrival) }
            ?: return WaymarkOutcome.Superseded
        if (answer is WaymarkAnswer.Plan && pending?.link == link && pending?.mode == mode) keep(null)
        val unanswered =
            PendingLink(link, mode, from, user, null, emptyList(), PendingLink.Reason.Unanswered, openedAt, arrival)
        if (answer is WaymarkAnswer.Failed && isPassing(answer.problem)) keep(unanswered)
        return take(answer) { refused(unanswered, it, user) }
    }

    /** Opens a stack by its own link, as a button of the app's own opens a stack that may be behind a gate. */
    suspend fun open(stack: List<WaymarkDestination<Route>>): WaymarkOutcome {
        turn += 1
        val turn = turn
        val link = try {
            client.link(stack)
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (error: Exception) {
            return if (turn == this.turn) fail(problemOf(error)) else WaymarkOutcome.Superseded
        }
        return if (turn == this.turn) open(link) else WaymarkOutcome.Superseded
    }

    /** Opens a link that continues from the top of the current stack. */
    suspend fun append(link: String): WaymarkOutcome = open(link, mode = "append")

    /**
     * Resolves the pending link again, after the user met its requirements, or once there may be a network. A link that
     * no answer arrived to is at its end with the first that does.
     *
     * [waiting] is for levels that arrive later, such as the level of a purchase: while the same gate answers, the link is
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
                is WaymarkAnswer.Denied ->
                    pending.reason == PendingLink.Reason.Refused && isSameGate(answer.denial, pending)
                is WaymarkAnswer.Failed -> isPassing(answer.problem)
                is WaymarkAnswer.Plan -> false
            }
            if (!mayChange || waited >= waiting) {
                if (answer is WaymarkAnswer.Plan || isAtEnd(pending, answer)) keep(null)
                return take(answer) { refused(pending, it, client.currentUser) }
            }
            val turn = turn
            wait = minOf(wait, waiting - waited)
            pause(wait)
            if (turn != this.turn || this.pending !== pending) return WaymarkOutcome.Superseded
            waited += wait
            wait *= 2
        }
    }

    private fun refused(link: PendingLink<Route>, denial: WaymarkDenial<Route>, user: String?): PendingLink<Route> = link.copy(
        user = user,
        token = denial.continuation ?: link.token,
        gate = denial.gate?.stack.orEmpty(),
        reason = PendingLink.Reason.Refused,
    )

    /** Redeems the token of a pending link, or resolves the link if that is impossible. */
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
        // A refused link has arrived.
        val arrival = pending.arrival.takeIf { pending.reason == PendingLink.Reason.Unanswered }
        return client.resolve(pending.link, from, pending.mode, userVersion, arrival)
    }

    /** Asks, and asks once more if the user navigated meanwhile. Returns null if the answer no longer counts. */
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
                WaymarkAnswer.Failed(problemOf(error))
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
                reach(answer.plan.stack, answer.plan.canonicalLink)
                WaymarkOutcome.Shown
            }
            is WaymarkAnswer.Denied -> {
                denial = answer.denial
                keep(refused(answer.denial))
                reach(answer.denial.gate?.stack.orEmpty(), answer.denial.gate?.link)
                WaymarkOutcome.Gated
            }
            is WaymarkAnswer.Failed -> fail(answer.problem)
        }
    }

    private fun fail(problem: WaymarkProblem): WaymarkOutcome {
        this.problem = problem
        onChange(this)
        return WaymarkOutcome.Failed
    }

    /** An empty screen would explain nothing, so an answer without a stack for this app changes nothing. */
    private fun reach(stack: List<WaymarkDestination<Route>>, link: String?) {
        val shown = stack.takeWhile { it.known != null }
        if (shown.isNotEmpty() && link != null) known = shown to link
        show(if (shown.isEmpty()) state else state.showing(shown))
    }

    private fun close(next: NavigationState<Route>) {
        val gate = pending?.gate.orEmpty()
        if (isShown(gate, state) && !isShown(gate, next)) {
            denial = null
            keep(null)
        }
        step(next)
    }

    /** Shows a state that the user chose, and clears the problem of an earlier link. */
    private fun step(next: NavigationState<Route>) {
        problem = null
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

/** Returns the problem of a failed request, with status 0 if no answer arrived. */
private fun problemOf(error: Exception): WaymarkProblem =
    (error as? WaymarkProblemException)?.problem ?: WaymarkProblem("", 0, error.toString(), emptyMap())

/** Returns whether a problem passes by itself: no answer arrived, or the server is away or overloaded. */
private fun isPassing(problem: WaymarkProblem): Boolean =
    problem.status == 0 || problem.status == 429 || problem.status >= 500

/** Returns whether a problem ends a pending link: the link no longer resolves, or was waiting for any answer. */
private fun isAtEnd(pending: PendingLink<*>, answer: WaymarkAnswer<*>): Boolean = when {
    answer !is WaymarkAnswer.Failed -> false
    pending.reason == PendingLink.Reason.Unanswered -> !isPassing(answer.problem)
    else -> answer.problem.status == 404 || answer.problem.status == 422
}

private fun isSameStack(one: List<WaymarkDestination<*>>, two: List<WaymarkDestination<*>>): Boolean =
    one.size == two.size && commonCount(one, two) == one.size

/** Returns whether a denial sends to the gate that the user was sent to before, over any current stack. */
private fun isSameGate(denial: WaymarkDenial<*>, pending: PendingLink<*>): Boolean =
    isSameStack(denial.gate?.stack.orEmpty().takeLast(1), pending.gate.takeLast(1))
