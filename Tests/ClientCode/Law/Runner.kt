// A navigator that does a command a line, for Tests/ClientCode/Law/law.py. With the argument `navigation3` the back stack of
// Navigation 3 says what is shown, and goes back.
package law

import check.now
import waymark.*

/** Any route: every destination is known. */
data class AnyRoute(override val routeName: String, val parameters: Parameters) : WaymarkRoute {
    override fun toParameters(): Map<String, Any?> = parameters.values
}

object AnyTable : RouteTable<AnyRoute> {
    override val catalogVersion = ""

    override fun read(name: String, parameters: Parameters) = AnyRoute(name, parameters)
}

typealias Command = Map<String, Any?>

class LawRunner(private val hasBackStack: Boolean) {
    private var server = ""
    private var user: String? = null
    private var held = emptyList<String>()
    private var first = emptyList<WaymarkDestination<AnyRoute>>()
    private var stored: String? = null
    private var lose = 0L
    private var meanwhile = emptyList<Command>()
    private val redemptions = mutableListOf<Map<String, Any?>>()
    private lateinit var navigator: WaymarkNavigator<AnyRoute>

    private val http = WaymarkHttp()

    private val transport = WaymarkTransport { request ->
        val response = http.send(request)
        val others = meanwhile
        meanwhile = emptyList()
        for (other in others) perform(other)
        if (lose > 0) {
            lose -= 1
            throw java.io.IOException("the answer is lost")
        }
        if (request.url.endsWith("/v1/continuations") && response.status == 200) {
            val body = response.body as Map<*, *>
            redemptions.add(
                mapOf("from" to request.body["from"], "transition" to body["transition"], "stack" to body["stack"]),
            )
        }
        response
    }

    private fun begin(state: NavigationState<AnyRoute> = NavigationState.of(first)) {
        navigator = WaymarkNavigator(
            AnyTable, WaymarkClient(AnyTable, server, transport, user = { user }, holds = { held }), first, state, stored,
            store = { stored = it },
            // The next line is `go`.
            pause = {
                say(mapOf("paused" to it))
                readln()
            },
        )
    }

    @Suppress("UNCHECKED_CAST")
    private suspend fun perform(command: Command): String? {
        fun destination() = WaymarkDestination.read(AnyTable, command["destination"])
        fun index(name: String) = (command[name] as Long?)?.toInt()
        when (command["do"]) {
            "start" -> {
                server = command["server"] as String
                first = WaymarkDestination.readStack(AnyTable, command["first"])
                user = null
                held = emptyList()
                stored = null
                begin()
            }
            // A saved state is read from text, as after a launch.
            "restart" ->
                if (command["restores"] == true) {
                    val saved = WaymarkJson.write(navigator.state.toJson())
                    begin(NavigationState.read(AnyTable, WaymarkJson.read(saved)))
                } else begin()
            "spoil" -> {
                stored = stored?.let { WaymarkJson.write((WaymarkJson.read(it) as Command) + ("token" to "x.y")) }
                begin(navigator.state)
            }
            // As version 1.0 stored it.
            "age" -> {
                stored = stored?.let { WaymarkJson.write((WaymarkJson.read(it) as Command) - "reason" - "openedAt") }
                begin(navigator.state)
            }
            "user" -> user = command["name"] as String?
            "hold" -> held = command["names"] as List<String>
            "push" -> navigator.push(checkNotNull(destination().known))
            "present" -> navigator.present(destination())
            "select" -> navigator.select(destination(), index("at"))
            "dismiss" -> {
                val before = backStack(navigator.state).size
                navigator.dismiss(index("count"))
                // As NavDisplay calls it: one key goes. With one alone on it the system's gesture leaves the app.
                val after = if (before > 1) before - 1 else before
                check(!hasBackStack || index("count") != null || backStack(navigator.state).size == after) { "$before keys" }
            }
            "setPath" -> navigator.setPath(WaymarkDestination.readStack(AnyTable, command["pushes"]), index("at") ?: 0)
            "signOut" -> navigator.signOut()
            "clearProblem" -> navigator.clearProblem()
            "link" -> return navigator.link() ?: "none"
            "show" -> return word(navigator.open(WaymarkDestination.readStack(AnyTable, command["stack"])))
            "open" -> return word(navigator.open(command["link"] as String, command["mode"] as String? ?: "replace"))
            "resume" -> return word(navigator.resume(waiting = command["waiting"] as Long? ?: 0))
            else -> error("${command["do"]}")
        }
        return null
    }

    private fun word(outcome: WaymarkOutcome) = outcome.name.lowercase()

    @Suppress("UNCHECKED_CAST")
    fun run(command: Command) {
        lose = command["lose"] as Long? ?: 0
        meanwhile = (command["meanwhile"] as List<Command>?).orEmpty()
        redemptions.clear()
        val outcome = now { perform(command) }
        say(
            mapOf(
                "outcome" to outcome, "stack" to shownStack().map { it.toJson() },
                "state" to navigator.state.toJson(), "pending" to navigator.pending?.let { WaymarkJson.read(it.toText()) },
                "redemptions" to redemptions, "problem" to (navigator.problem != null),
            ),
        )
    }

    private fun shownStack(): List<WaymarkDestination<AnyRoute>> {
        val stack = navigator.state.stack
        if (!hasBackStack) return stack
        val keys = backStack(navigator.state)
        val every = everyKey(navigator.state)
        check(every.containsAll(keys) && every.map { it.contentKey }.toSet().size == every.size) { "two keys of one screen" }
        check(keys.zipWithNext().all { (one, two) -> two.below.size > one.below.size }) { "the keys are out of order" }
        check(keys.all { it.entry { }.contentKey == it.contentKey })
        return keys.lastOrNull()?.let { it.below + it.destination }.orEmpty()
    }

    private fun say(json: Map<String, Any?>) {
        println(WaymarkJson.write(json))
        System.out.flush()
    }
}

@Suppress("UNCHECKED_CAST")
fun main(arguments: Array<String>) {
    val runner = LawRunner(hasBackStack = "navigation3" in arguments)
    while (true) runner.run(WaymarkJson.read(readlnOrNull() ?: return) as Command)
}
