// Waymark's runtime: plans, their reading by an app that is older than the catalog, and the client of a server. It uses
// the standard library alone: JSON is represented by maps, lists, strings, numbers and Booleans, as in every JSON
// library, so that none needs to know the types.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

/** A route with its values. `waymark generate kotlin` writes the types. */
interface WaymarkRoute {
    /** The route's name in the catalog. */
    val routeName: String

    /** The values as they appear in a plan. */
    fun toParameters(): Map<String, Any?>
}

/** The routes of a catalog, by name. */
interface RouteTable<out Route : WaymarkRoute> {
    /** The catalog that the table was generated from. */
    val catalogVersion: String

    /** The name of the app for which the table was generated, or null for the routes of every app. */
    val appName: String? get() = null

    /** Reads a destination, or returns null for a route that isn't in this catalog. Throws [ParameterException]. */
    fun read(name: String, parameters: Parameters): Route?
}

/** An object among the parameters. */
interface WaymarkObject {
    /** The values as they appear in a plan. */
    fun toParameters(): Map<String, Any?>
}

/** A word of an enumeration. */
interface WaymarkWord {
    /** The word in the catalog. */
    val word: String
}

/** A UUID as Waymark writes it, in lower case. */
@JvmInline
value class WaymarkUuid(val text: String)

/** A day as `YYYY-MM-DD`. */
@JvmInline
value class WaymarkDate(val text: String)

/** A date and time as RFC 3339 writes it. */
@JvmInline
value class WaymarkDateTime(val text: String)

/** The error of a parameter that is missing, or of a kind or word that this version of the app doesn't know. */
class ParameterException(val name: String) : Exception("the parameter $name does not fit")

/** The error of an answer that isn't in the format of a Waymark server. */
class WaymarkFormatException(message: String) : Exception(message)

/** The parameters of one destination, by name, as sent. */
data class Parameters(val values: Map<String, Any?> = emptyMap()) {
    /** Reads a value that every plan has. */
    fun <Value : Any> value(name: String, read: (Any?) -> Value?): Value =
        read(values[name]) ?: throw ParameterException(name)

    /** Reads a value that a plan may omit. */
    fun <Value : Any> optional(name: String, read: (Any?) -> Value?): Value? =
        if (name in values) value(name, read) else null

    companion object {
        val text: (Any?) -> String? = { it as? String }
        val boolean: (Any?) -> Boolean? = { it as? Boolean }
        val any: (Any?) -> Any? = { it }
        val uuid: (Any?) -> WaymarkUuid? = { json -> (json as? String)?.let { WaymarkUuid(it) } }
        val date: (Any?) -> WaymarkDate? = { json -> (json as? String)?.let { WaymarkDate(it) } }
        val dateTime: (Any?) -> WaymarkDateTime? = { json -> (json as? String)?.let { WaymarkDateTime(it) } }

        /** Reads an integer, of any type in which the JSON library represents it. */
        val long: (Any?) -> Long? = { json ->
            when (json) {
                is Long -> json
                is Int -> json.toLong()
                is Double -> json.toLong().takeIf { it.toDouble() == json }
                is Number -> json.toString().toLongOrNull()
                else -> null
            }
        }

        /** Reads a number. */
        val double: (Any?) -> Double? = { (it as? Number)?.toDouble() }

        /** Reads one of the given words. */
        fun <Word : WaymarkWord> word(words: List<Word>): (Any?) -> Word? = { json -> words.find { it.word == json } }

        /** Reads a list. */
        fun <Value : Any> list(read: (Any?) -> Value?): (Any?) -> List<Value>? = { json ->
            (json as? List<*>)?.map { read(it) }?.let { items -> items.filterNotNull().takeIf { it.size == items.size } }
        }

        /** Reads an object. */
        fun <Value : Any> fields(read: (Parameters) -> Value): (Any?) -> Value? = { json ->
            try {
                (json as? Map<*, *>)?.let { read(Parameters(members(it))) }
            } catch (_: ParameterException) {
                null
            }
        }
    }
}

private fun members(json: Any?): Map<String, Any?> =
    (json as? Map<*, *>)?.entries?.associate { (key, value) -> key.toString() to value }
        ?: throw WaymarkFormatException("an object is missing")

private fun texts(json: Any?): List<String> = (json as? List<*>).orEmpty().filterIsInstance<String>()

private fun Map<String, Any?>.text(name: String): String =
    this[name] as? String ?: throw WaymarkFormatException("$name is missing, or isn't a text")

private fun Map<String, Any?>.count(name: String): Int =
    Parameters.long(this[name])?.toInt() ?: throw WaymarkFormatException("$name is missing, or isn't a number")

/** Returns a number in one form, for any type in which a JSON library represents it. */
private fun plain(json: Any?): Any? = when (json) {
    is Map<*, *> -> json.entries.associate { (key, value) -> key.toString() to plain(value) }
    is List<*> -> json.map(::plain)
    is Number -> Parameters.long(json) ?: json.toDouble()
    else -> json
}

/** The presentation of a destination. [name] is open, because catalogs may add one. */
data class WaymarkPresentation(val name: String) {
    companion object {
        val Root = WaymarkPresentation("root")
        val Tab = WaymarkPresentation("tab")
        val Push = WaymarkPresentation("push")
        val Sheet = WaymarkPresentation("sheet")
        val BottomSheet = WaymarkPresentation("bottomSheet")
        val FullScreenCover = WaymarkPresentation("fullScreenCover")
        val Popover = WaymarkPresentation("popover")
        val Alert = WaymarkPresentation("alert")
        val ConfirmationDialog = WaymarkPresentation("confirmationDialog")

        /** Returns a presentation that the app defines. */
        fun custom(name: String) = WaymarkPresentation("custom:$name")
    }
}

/** A route that this version of the app doesn't know, or knows with other parameters. */
data class UnrecognizedRoute(val name: String, val parameters: Map<String, Any?>)

/** A route that the app knows, or the sent name and values of one that it doesn't. */
sealed interface Recognized<out Route : WaymarkRoute> {
    data class Known<out Route : WaymarkRoute>(val route: Route) : Recognized<Route>
    data class Unrecognized(val route: UnrecognizedRoute) : Recognized<Nothing>
}

/** One element of a navigation stack. [parameters] are as sent, including the ones that the app doesn't know. */
data class WaymarkDestination<out Route : WaymarkRoute>(
    val name: String,
    val route: Recognized<Route>,
    val presentation: WaymarkPresentation,
    val parameters: Map<String, Any?>,
) {
    /** A destination of a route that the app knows. */
    constructor(route: Route, presentation: WaymarkPresentation) : this(
        route.routeName, Recognized.Known(route), presentation, members(plain(route.toParameters())),
    )

    /** The route, if the app knows it. */
    val known: Route? get() = (route as? Recognized.Known)?.route

    /** Returns the destination in the format of servers. */
    fun toJson(): Map<String, Any?> =
        mapOf("route" to name, "presentation" to presentation.name, "parameters" to parameters)

    companion object {
        /** Reads a destination. A destination that the app doesn't know is unrecognized. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, json: Any?): WaymarkDestination<Route> {
            val members = members(json)
            val name = members.text("route")
            val parameters = members(plain(members["parameters"] ?: emptyMap<String, Any?>()))
            val route = try {
                table.read(name, Parameters(parameters))
            } catch (_: ParameterException) {
                null
            }
            return WaymarkDestination(
                name,
                route?.let { Recognized.Known(it) } ?: Recognized.Unrecognized(UnrecognizedRoute(name, parameters)),
                WaymarkPresentation(members.text("presentation")),
                parameters,
            )
        }

        /** Reads a stack. */
        fun <Route : WaymarkRoute> readStack(table: RouteTable<Route>, json: Any?): List<WaymarkDestination<Route>> =
            (json as? List<*> ?: throw WaymarkFormatException("a stack isn't a list")).map { read(table, it) }
    }
}

/** The transition from the stack that the app shows to another. */
data class WaymarkTransition<out Route : WaymarkRoute>(
    val keep: Int,
    val dismiss: Int,
    val present: List<WaymarkDestination<Route>>,
    val unknownFrom: Int? = null,
) {
    companion object {
        /** Reads a transition. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, json: Any?): WaymarkTransition<Route> {
            val members = members(json)
            return WaymarkTransition(
                members.count("keep"),
                members.count("dismiss"),
                WaymarkDestination.readStack(table, members["present"]),
                Parameters.long(members["unknownFrom"])?.toInt(),
            )
        }
    }
}

/** The answer to a link that the user may open. */
data class RoutePlan<out Route : WaymarkRoute>(
    val link: String,
    val canonicalLink: String?,
    val requiredLevel: String?,
    val userLevel: String?,
    val stack: List<WaymarkDestination<Route>>,
    val unusedFragment: String?,
    val unusedQuery: List<Pair<String, String?>>,
    /** The versions of the app that the stack requires, by platform, if the request names no app. */
    val requiresApp: Map<String, String>,
    val unresolved: List<String>,
    val transition: WaymarkTransition<Route>?,
    val catalogVersion: String,
    /** The names of the grants that the stack requires, in the order of the catalog's gates. */
    val requiredGrants: List<String> = emptyList(),
) {
    /** The stack below the first destination that this version of the app doesn't know. */
    val recognizedPrefix: List<WaymarkDestination<Route>> get() = stack.takeWhile { it.known != null }

    /** The first destination that this version of the app doesn't know. */
    val firstUnrecognized: UnrecognizedRoute?
        get() = stack.firstNotNullOfOrNull { (it.route as? Recognized.Unrecognized)?.route }

    companion object {
        /** Reads a plan. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, json: Any?): RoutePlan<Route> {
            val members = members(json)
            val levels = members["authorizationLevel"] as? Map<*, *>
            return RoutePlan(
                link = members.text("link"),
                canonicalLink = members["canonicalLink"] as? String,
                requiredLevel = levels?.get("required") as? String,
                userLevel = levels?.get("user") as? String,
                stack = WaymarkDestination.readStack(table, members["stack"]),
                unusedFragment = members["unusedFragment"] as? String,
                unusedQuery = (members["unusedQuery"] as? List<*>).orEmpty().filterIsInstance<List<*>>()
                    .map { it.first().toString() to it.getOrNull(1) as? String },
                requiresApp = (members["requiresApp"] as? Map<*, *>).orEmpty().entries
                    .associate { (platform, version) -> platform.toString() to version.toString() },
                unresolved = (members["unresolved"] as? List<*>).orEmpty().map { it.toString() },
                transition = members["transition"]?.let { WaymarkTransition.read(table, it) },
                catalogVersion = members.text("catalogVersion"),
                requiredGrants = texts((members["grants"] as? Map<*, *>)?.get("required")),
            )
        }
    }
}

/** The denial of a link, with the gate for the first missing requirement: a level or a grant. */
data class WaymarkDenial<out Route : WaymarkRoute>(
    val route: String,
    val requiredLevel: String,
    val userLevel: String,
    val gate: Gate<Route>?,
    val continuation: String?,
    /** The grants that the user lacks, in the order of the catalog's gates. Empty if a level is missing first. */
    val missing: List<String> = emptyList(),
) {
    /** The gate at which a user obtains a level or a grant. */
    data class Gate<out Route : WaymarkRoute>(
        /** The level that a user obtains there, or null for a grant. */
        val level: String?,
        val link: String,
        /** The stack to present now. Empty if the app is too old for it. */
        val stack: List<WaymarkDestination<Route>>,
        val transition: WaymarkTransition<Route>?,
        /** The grant that a user obtains there, or null for a level. */
        val grant: String? = null,
    )
}

/** An answer that is neither a plan nor a denial (RFC 9457). */
data class WaymarkProblem(val code: String, val status: Int, val detail: String, val members: Map<String, Any?>) {
    /** The update that the link requires, or null for other problems. */
    val appUpdate: WaymarkUpdate?
        get() = if (code != "app-update-required") null else WaymarkUpdate(
            route = members.text("route"),
            platform = members.text("platform"),
            requiredVersion = members.text("requiredVersion"),
            appVersion = members.text("appVersion"),
            storeLink = members["storeLink"] as? String,
        )

    /** The app that has the link, if it is another one, or null for other problems. */
    val otherApp: WaymarkOtherApp?
        get() = if (code != "other-app") null else WaymarkOtherApp(
            route = members.text("route"),
            app = members.text("app"),
            link = members["link"] as? String,
            storeLink = members["storeLink"] as? String,
        )
}

/** Another app that has a link. [route] is the first destination that is in that app alone. */
data class WaymarkOtherApp(
    val route: String,
    /** The name of the app in the catalog. */
    val app: String,
    /** The link to open in the app, if there is one. */
    val link: String?,
    /** The app's page in the store, if the catalog has it. */
    val storeLink: String?,
)

/** The version of the app that a link requires. [route] is the first destination that the app is too old for. */
data class WaymarkUpdate(
    val route: String,
    val platform: String,
    val requiredVersion: String,
    val appVersion: String,
    /** The app's page in the store, if the catalog has it. */
    val storeLink: String?,
)

/** The exception of a problem, from calls that don't return one. */
class WaymarkProblemException(val problem: WaymarkProblem) : Exception(problem.detail)

/** The one that answered: the server, or the engine in the app. */
enum class WaymarkAnsweredBy { Server, Engine }

/** The answer to a link. */
sealed interface WaymarkAnswer<out Route : WaymarkRoute> {
    /** The one that answered. */
    val answeredBy: WaymarkAnsweredBy

    data class Plan<out Route : WaymarkRoute>(
        val plan: RoutePlan<Route>,
        override val answeredBy: WaymarkAnsweredBy = WaymarkAnsweredBy.Server,
    ) : WaymarkAnswer<Route>

    data class Denied<out Route : WaymarkRoute>(
        val denial: WaymarkDenial<Route>,
        override val answeredBy: WaymarkAnsweredBy = WaymarkAnsweredBy.Server,
    ) : WaymarkAnswer<Route>

    data class Failed(
        val problem: WaymarkProblem,
        override val answeredBy: WaymarkAnsweredBy = WaymarkAnsweredBy.Server,
    ) : WaymarkAnswer<Nothing>

    companion object {
        private val DENIALS = listOf("insufficient-authorization-level", "missing-grant")

        /** Reads an answer by its status and body. */
        fun <Route : WaymarkRoute> read(
            table: RouteTable<Route>,
            status: Int,
            json: Any?,
            answeredBy: WaymarkAnsweredBy = WaymarkAnsweredBy.Server,
        ): WaymarkAnswer<Route> {
            if (status == 200) return Plan(RoutePlan.read(table, json), answeredBy)
            val problem = problem(status, json)
            if (problem.code !in DENIALS) return Failed(problem, answeredBy)
            val gate = problem.members["gate"]?.let { members(it) }
            return Denied(
                WaymarkDenial(
                    route = problem.members.text("route"),
                    requiredLevel = problem.members.text("requiredLevel"),
                    userLevel = problem.members.text("userLevel"),
                    gate = gate?.let { members ->
                        WaymarkDenial.Gate(
                            members["level"] as? String,
                            members.text("link"),
                            members["stack"]?.let { WaymarkDestination.readStack(table, it) } ?: emptyList(),
                            members["transition"]?.let { WaymarkTransition.read(table, it) },
                            members["grant"] as? String,
                        )
                    },
                    continuation = problem.members["continuation"] as? String,
                    missing = texts(problem.members["missing"]),
                ),
                answeredBy,
            )
        }

        internal fun isDenial(status: Int, json: Any?): Boolean = problem(status, json).code in DENIALS

        internal fun problem(status: Int, json: Any?): WaymarkProblem {
            val members = if (json is Map<*, *>) members(json) else emptyMap()
            val code = (members["type"] as? String).orEmpty().removePrefix("urn:waymark:problem:")
            return WaymarkProblem(code, status, (members["detail"] as? String).orEmpty(), members)
        }
    }
}

/** A request to the server: a POST with a JSON body. */
data class WaymarkRequest(val url: String, val fields: Map<String, String>, val body: Map<String, Any?>)

/** The answer of the server or of the engine in its place, with null for a body that isn't JSON. */
data class WaymarkResponse(
    val status: Int,
    val body: Any?,
    val answeredBy: WaymarkAnsweredBy = WaymarkAnsweredBy.Server,
)

/** The transport to the server, by the app's own HTTP and JSON libraries. Throws if no answer arrives. */
fun interface WaymarkTransport {
    suspend fun send(request: WaymarkRequest): WaymarkResponse
}

/**
 * The client of a server, for the routes of one catalog.
 *
 * [user] names the user that is signed in now, or is null. [app] is the app and its version, such as `android/4.0`, which
 * every request names: places of a catalog may require one, and the server counts the links that apps open. Without it
 * the requests name `android/0`, an app of unknown version. The client adds the name of the app for which the table was
 * generated: `driver.android/4.0`. [token] is called before each request, and so is [holds],
 * for the levels and grants that the device knows of (`from: app`), such as a PIN that was entered: the server takes no
 * others.
 */
class WaymarkClient<Route : WaymarkRoute>(
    private val table: RouteTable<Route>,
    private val server: String,
    private val transport: WaymarkTransport,
    private val user: () -> String? = { null },
    private val app: String? = null,
    private val token: suspend () -> String? = { null },
    private val holds: suspend () -> List<String> = { emptyList() },
) {
    /**
     * Resolves a link from the stack that the app shows. [userVersion] is the minimum version of the user for the
     * answer, as returned by a write, and [arrival] the way in which the deferred deep link was found
     * (`referrer`, `pasted` or `banner`), which the server counts.
     */
    suspend fun resolve(
        link: String,
        from: List<WaymarkDestination<Route>>? = null,
        mode: String = "replace",
        userVersion: Long? = null,
        arrival: String? = null,
    ): WaymarkAnswer<Route> = answer(
        "/v1/resolve",
        mapOf("link" to link, "from" to from?.map { it.toJson() }, "mode" to mode, "arrival" to arrival) +
            asker(userVersion),
    )

    /**
     * Resolves a denied link again after the user obtained the level, by a write that returned [userVersion]. [from] is
     * the stack that the app shows now, which decides the transition.
     */
    suspend fun redeem(
        continuation: String,
        from: List<WaymarkDestination<Route>>? = null,
        userVersion: Long? = null,
    ): WaymarkAnswer<Route> = answer(
        "/v1/continuations",
        mapOf("token" to continuation, "from" to from?.map { it.toJson() }) + asker(userVersion),
    )

    /** The user that is signed in now, or null without a user, and if only the token names the user. */
    val currentUser: String? get() = user()

    /** Returns whether the requests name a user, by id or by token. */
    suspend fun hasUser(): Boolean = user() != null || token() != null

    /** The app of the requests, with its name. A page in a browser is no app of the catalog. */
    private fun named(version: String): String {
        val name = table.appName?.takeIf { version.startsWith("ios/") || version.startsWith("android/") }
        return if (name == null) version else "$name.$version"
    }

    private fun asker(userVersion: Long?): Map<String, Any?> =
        mapOf("user" to user(), "userVersion" to userVersion, "app" to app?.let(::named))

    /** Returns the link to a stack, without a signature. Throws [WaymarkProblemException]. */
    suspend fun link(to: List<WaymarkDestination<Route>>, scheme: String? = null): String {
        val response = send("/v1/links", mapOf("stack" to to.map { it.toJson() }, "scheme" to scheme))
        if (response.status != 200) throw WaymarkProblemException(WaymarkAnswer.problem(response.status, response.body))
        return members(response.body).text("link")
    }

    private suspend fun answer(path: String, body: Map<String, Any?>): WaymarkAnswer<Route> {
        val response = send(path, body)
        return WaymarkAnswer.read(table, response.status, response.body, response.answeredBy)
    }

    /** Sends a request, and retries once if no answer arrives: a repeated request changes nothing. */
    private suspend fun send(path: String, body: Map<String, Any?>): WaymarkResponse {
        val authorization = token()?.let { mapOf("Authorization" to "Bearer $it") }.orEmpty()
        val held = holds().ifEmpty { null }?.let { mapOf("Waymark-Holds" to it.joinToString(", ")) }.orEmpty()
        val fields = mapOf(
            "Content-Type" to "application/json", "Accept" to "application/json", "Waymark-App" to named(app ?: "android/0"),
        ) + authorization + held
        val request = WaymarkRequest(server.trimEnd('/') + path, fields, body.filterValues { it != null })
        return try {
            transport.send(request)
        } catch (cancelled: kotlin.coroutines.cancellation.CancellationException) {
            throw cancelled
        } catch (_: Exception) {
            transport.send(request)
        }
    }
}
