// A use of the Kotlin code of the sample app: `scripts/prove kotlin` compiles and runs it, with a server.
package check

import java.io.File
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import waymark.*

fun parse(text: String): Any? = WaymarkJson.read(text)

@Suppress("UNCHECKED_CAST")
fun members(json: Any?) = json as Map<String, Any?>

fun list(json: Any?) = json as List<*>

/** Compiles only if every route has its class, with its values. */
fun title(route: AppRoute): String = when (route) {
    is AppRoute.Character -> "character ${route.id + 0L}"
    is AppRoute.Episode -> "episode ${route.id}"
    is AppRoute.CharacterSheet -> route.title ?: "untitled"
    AppRoute.Onboarding, AppRoute.Step1, AppRoute.Step2, AppRoute.Login, AppRoute.Registration,
    AppRoute.Forgotpassword, AppRoute.TabBar, AppRoute.Characters, AppRoute.Episodes, AppRoute.Settings,
    AppRoute.Profile -> route.routeName
}

fun fixturesAreKnown() {
    val fixtures = members(parse(File(System.getenv("FIXTURES")).readText()))
    check(fixtures["catalogVersion"] == AppRoute.catalogVersion)
    val stack = WaymarkDestination.readStack(AppRoute, fixtures["destinations"])
    check(stack.size > 10)
    for (item in stack) check(title(checkNotNull(item.known) { item.name }).isNotEmpty())
    check(stack.map { it.toJson() } == fixtures["destinations"])
    for (item in stack) check(WaymarkDestination(checkNotNull(item.known), item.presentation) == item) { item }
}

fun word(finding: ArrivalFinding): Any? = when (finding) {
    is ArrivalFinding.Link -> mapOf("link" to finding.link)
    ArrivalFinding.Absent -> "absent"
    ArrivalFinding.Malformed -> "malformed"
    ArrivalFinding.Foreign -> "foreign"
    ArrivalFinding.Expired -> "expired"
}

fun arrivalsAreRead(): Int {
    val vectors = members(parse(File(System.getenv("ARRIVALS")).readText()))
    val reader = ArrivalReader(list(vectors["hosts"]).map { it as String })
    for (vector in list(vectors["findings"]).map(::members)) {
        val text = vector["text"] as String
        val found = when (vector["kind"]) {
            "referrer" -> reader.findInReferrer(
                text, vector["clickedAt"] as Long, vector["installedAt"] as Long, vectors["now"] as Long,
            )
            "pasted" -> reader.findInPasted(text)
            else -> reader.findInBanner(text)
        }
        check(word(found) == vector["want"]) { "${vector["note"]}: $found" }
    }
    for (vector in list(vectors["records"]).map(::members)) {
        var record = ArrivalRecord()
        for (step in list(vector["steps"]).map(::list)) {
            when (step[0]) {
                "start" -> check(record.start(step[1] as Long, step[2] as Long) == step[3]) { "${vector["note"]}" }
                "receive" -> {
                    val finding = (step[1] as String?)?.let { ArrivalFinding.Link(it) } ?: ArrivalFinding.Absent
                    check(record.receive(finding, step[2] as Long) == step[3]) { "${vector["note"]}" }
                }
                "handedOver" -> record.handedOver()
                "openedByLink" -> record.openedByLink()
                "signedOut" -> record.signedOut()
                "store" -> record = ArrivalRecord(record.text)
                else -> record = ArrivalRecord(step[1] as String)
            }
        }
        check(record.text == vector["text"]) { "${vector["note"]}: ${record.text}" }
    }
    return list(vectors["findings"]).size
}

fun unknownIsWhatItIs() {
    val json = """{"link":"x:/","catalogVersion":"f","more":[1],"stack":[
        {"route":"tabBar","presentation":"root","parameters":{}},
        {"route":"character","presentation":"push","parameters":{"id":1,"since":[true,null]}},
        {"route":"hologram","presentation":"beam","parameters":{"x":{"y":1.5}}}]}"""
    val plan = RoutePlan.read(AppRoute, parse(json))
    check(plan.recognizedPrefix.mapNotNull { it.known }.map(::title) == listOf("tabBar", "character 1"))
    check(plan.firstUnrecognized?.name == "hologram")
    check(plan.stack[2].presentation == WaymarkPresentation("beam"))
    check(plan.stack.map { it.toJson() } == members(parse(json))["stack"])
    for (parameters in listOf("{}", """{"id":"1"}""", """{"id":1.5}""", """{"id":null}""", """{"id":true}""")) {
        val item = parse("""{"route":"character","presentation":"push","parameters":$parameters}""")
        check(WaymarkDestination.read(AppRoute, item).known == null) { parameters }
    }
}

fun word(step: NavigationStep<AppRoute>): String = when (step) {
    is NavigationStep.SetRoot -> "setRoot"
    is NavigationStep.SelectTab -> "selectTab ${step.at}"
    is NavigationStep.SetPath -> "setPath ${step.at}"
    is NavigationStep.Present -> "present"
    is NavigationStep.DismissLayer -> "dismissLayer ${step.at}"
}

fun mismatches(body: () -> Unit): Boolean = try {
    body()
    false
} catch (_: TransitionMismatch) {
    true
}

fun transitionsLeadWhereTheyShould(): Int {
    val vectors = members(parse(File(System.getenv("VECTORS")).readText()))
    val stacks = list(vectors["stacks"]).map { WaymarkDestination.readStack(AppRoute, it) }
    for (pair in list(vectors["pairs"]).map(::list)) {
        val (from, to, keep, dismiss) = pair.take(4).map { (it as Long).toInt() }
        val start = NavigationState.of(stacks[from])
        val transition = WaymarkTransition(keep, dismiss, stacks[to].drop(keep))
        val change = start.apply(transition)
        check(change.state.stack == stacks[to])
        var followed = start
        val words = change.steps.map { step ->
            followed = followed.perform(step)
            "${word(step)} ${followed.stack.size}"
        }
        check(words == pair[4]) { "$pair: $words" }
        check(start.stepsTo(stacks[to]) == change.steps)
        check(mismatches { NavigationState.of(start.stack.drop(1)).apply(transition.copy(dismiss = dismiss + 1)) })
    }
    return list(vectors["pairs"]).size
}

/** Waits for a function that suspends, on whichever thread it goes on. */
fun <Result> now(body: suspend () -> Result): Result {
    val outcome = CompletableFuture<kotlin.Result<Result>>()
    body.startCoroutine(Continuation(EmptyCoroutineContext) { outcome.complete(it) })
    return outcome.get().getOrThrow()
}

fun send(url: String, body: Map<String, Any?>): WaymarkResponse =
    now { WaymarkHttp().send(WaymarkRequest(url, mapOf("Content-Type" to "application/json"), body)) }

fun client(server: String, app: String? = null) =
    WaymarkClient(AppRoute, server, WaymarkHttp(), user = { "kotlin" }, app = app)

/** Answers the version of the user. */
fun setLevel(server: String, level: String): Long {
    val response = send("$server/v1/users/kotlin", mapOf("authorizationLevel" to level))
    check(response.status < 300)
    return members(response.body)["version"] as Long
}

fun clientResolvesAndRedeems(server: String) {
    setLevel(server, "signedInUser")
    val client = client(server)
    var state = NavigationState.of<AppRoute>()
    val plain = now { client.resolve("navigation:/characters/character/1", state.stack) } as WaymarkAnswer.Plan
    state = state.apply(plain.plan).state
    check(state.stack == plain.plan.stack)
    check(state.stack[2] == WaymarkDestination<AppRoute>(AppRoute.Character(id = 1), WaymarkPresentation.Push))

    val denial = (now { client.resolve("navigation:/characters/character/1?sheet=x", state.stack) } as WaymarkAnswer.Denied).denial
    val gate = checkNotNull(denial.gate)
    check(gate.level == "premiumUser")
    check(state.apply(checkNotNull(gate.transition)).state.stack == gate.stack)

    val version = setLevel(server, "premiumUser")
    val token = checkNotNull(denial.continuation)
    val early = now { client.redeem(token, userVersion = version + 1) } as WaymarkAnswer.Failed
    check(early.problem.code == "version-mismatch")
    val granted = now { client.redeem(token, gate.stack, version) } as WaymarkAnswer.Plan
    // It follows the gate, which is what the app shows by now.
    state = NavigationState.of(gate.stack).apply(granted.plan).state
    check(state.stack.size == 4 && state.layers.size == 2)

    val late = now { client.resolve("navigation:/episodes", state.stack) } as WaymarkAnswer.Plan
    state = state.dismiss(3)
    check(mismatches { state.apply(late.plan) })
    val again = now { client.resolve("navigation:/episodes", state.stack) } as WaymarkAnswer.Plan
    check(state.apply(again.plan).state.stack == again.plan.stack)

    val problem = (now { client.resolve("navigation:/charcters") } as WaymarkAnswer.Failed).problem
    check(problem.code == "no-matching-route" && problem.status == 404)
    val stack = listOf(
        WaymarkDestination<AppRoute>(AppRoute.TabBar, WaymarkPresentation.Root),
        WaymarkDestination<AppRoute>(AppRoute.Episodes, WaymarkPresentation.Tab),
    )
    check(now { client.link(stack, "navigation") } == "navigation://loremipsum.com/episodes")
    val refused = try {
        now { client.link(emptyList()) }
        null
    } catch (problem: WaymarkProblemException) {
        problem.problem.code
    }
    check(refused == "invalid-request")
}

fun characters() = listOf(
    WaymarkDestination<AppRoute>(AppRoute.TabBar, WaymarkPresentation.Root),
    WaymarkDestination<AppRoute>(AppRoute.Characters, WaymarkPresentation.Tab),
)

fun tabsKeepTheirStacks() {
    fun character(id: Long) = WaymarkDestination<AppRoute>(AppRoute.Character(id), WaymarkPresentation.Push)
    val episodes = WaymarkDestination<AppRoute>(AppRoute.Episodes, WaymarkPresentation.Tab)
    var state = NavigationState.of(characters()).push(character(1)).push(character(2)).select(episodes)
    check(state.stack.map { it.name } == listOf("tabBar", "episodes"))
    state = NavigationState.read(AppRoute, parse(WaymarkJson.write(state.toJson()))).select(characters()[1])
    check(state.stack == characters() + character(1) + character(2))
    // A link says the whole stack of its tab, and nothing about the others.
    state = state.showing(listOf(characters()[0], episodes)).showing(characters() + character(3))
    check(state.stack == characters() + character(3))
    check(state.dismiss().dismiss().dismiss().stack.size == 2)
    for (text in listOf(
        "null", "{}", """{"layers":[[]]}""", """{"layers":[7]}""",
        """{"layers":[[{"route":"login","presentation":"root","selected":0}]]}""",
    )) {
        check(
            try {
                NavigationState.read(AppRoute, parse(text))
                false
            } catch (_: WaymarkFormatException) {
                true
            },
        ) { text }
    }
}

fun lateLevelsAreWaitedFor(server: String) {
    setLevel(server, "signedInUser")
    val pauses = mutableListOf<Long>()
    val stored = mutableListOf<String?>()
    val navigator = WaymarkNavigator(
        AppRoute, client(server), characters(), store = { stored.add(it) },
        pause = {
            pauses.add(it)
            if (pauses.size == 3) setLevel(server, "premiumUser")
        },
    )
    val link = "navigation:/characters/character/1?sheet=x"
    check(now { navigator.open(link) } == WaymarkOutcome.Gated)
    check(now { navigator.resume(waiting = 10_000) } == WaymarkOutcome.Shown)
    check(pauses == listOf(500L, 1000L, 2000L) && navigator.state.stack.size == 4)
    check(stored.size == 2 && stored[1] == null)

    setLevel(server, "signedInUser")
    check(now { navigator.open(link) } == WaymarkOutcome.Gated)
    check(now { navigator.resume(waiting = 700) } == WaymarkOutcome.Gated)
    check(pauses.drop(3) == listOf(500L, 200L))
    navigator.signOut()
    check(navigator.pending == null && navigator.state.stack == characters() && navigator.denial == null)
    check(now { navigator.resume() } == WaymarkOutcome.Superseded)

    // A gate that the user closes is not come back to.
    check(now { navigator.open(link) } == WaymarkOutcome.Gated)
    navigator.dismiss()
    check(navigator.pending == null)
    for (text in listOf(null, "", "7", "null", "{}", "[]", """{"link":"x:/","mode":"sideways"}""", "{\"a\"", "[".repeat(99))) {
        check(PendingLink.read(AppRoute, text) == null) { "$text" }
    }
}

fun linksWaitWithoutANetwork(server: String) {
    setLevel(server, "signedInUser")
    val sent = mutableListOf<WaymarkRequest>()
    var isAway = true
    var stored: String? = null
    val client = WaymarkClient(
        AppRoute, server, user = { "kotlin" },
        transport = {
            sent.add(it)
            if (isAway) throw java.io.IOException("there is no network")
            WaymarkHttp().send(it)
        },
    )
    fun make() = WaymarkNavigator(AppRoute, client, characters(), stored = stored, store = { stored = it }, pause = {})
    var navigator = make()
    val link = "navigation:/onboarding/step1"
    val begin = System.currentTimeMillis()
    check(now { navigator.open(link, arrival = "pasted") } == WaymarkOutcome.Failed)
    val pending = checkNotNull(navigator.pending)
    check(pending.reason == PendingLink.Reason.Unanswered && pending.link == link && navigator.problem?.status == 0)
    check(checkNotNull(pending.openedAt) in begin..System.currentTimeMillis())
    navigator.clearProblem()
    check(navigator.problem == null && navigator.pending == pending)
    check(now { navigator.link() } == null)

    navigator = make()
    check(navigator.pending == pending)
    check(now { navigator.resume() } == WaymarkOutcome.Failed)
    check(navigator.pending == pending && navigator.problem?.status == 0)
    isAway = false
    check(now { navigator.resume() } == WaymarkOutcome.Shown)
    check(sent.last().body["arrival"] == "pasted")
    check(navigator.pending == null && stored == null && navigator.problem == null)

    // That of the plan takes no request, that of the app's own step one.
    val count = sent.size
    check(now { navigator.link() } == "navigation:///onboarding/step1")
    check(sent.size == count)
    check(now { navigator.open("navigation:/nowhere") } == WaymarkOutcome.Failed)
    navigator.push(AppRoute.Step2)
    check(navigator.problem == null)
    repeat(2) { check(now { navigator.link() } == "navigation://loremipsum.com/onboarding/step1/step2") }
    check(sent.drop(count).map { it.url.removePrefix(server) } == listOf("/v1/resolve", "/v1/links"))
    // A stack is opened by its link, and a refused one waits for its user.
    val sheet = WaymarkDestination<AppRoute>(AppRoute.CharacterSheet(title = "x"), WaymarkPresentation.Sheet)
    val stack = characters() + WaymarkDestination<AppRoute>(AppRoute.Character(7), WaymarkPresentation.Push) + sheet
    check(now { navigator.open(stack) } == WaymarkOutcome.Gated)
    check(navigator.pending?.reason == PendingLink.Reason.Refused)
    check(navigator.pending?.link == "navigation://loremipsum.com/characters/character/7?sheet=x")
    check(now { navigator.link() } == navigator.denial?.gate?.link)
    check(now { navigator.open(listOf(sheet)) } == WaymarkOutcome.Failed)
    check(navigator.problem?.code == "no-link")
    check(sent.map { it.fields["Waymark-App"] }.toSet() == setOf("android/0"))

    val gate = WaymarkJson.write(characters().map { it.toJson() })
    val old = PendingLink.read(AppRoute, """{"link":"x:/","mode":"append","from":[],"user":"u","token":"x.y","gate":$gate}""")
    check(old == PendingLink<AppRoute>("x:/", "append", emptyList(), "u", "x.y", characters()))
}

fun jsonIsReadAndWritten() {
    val text = """{"a":[1,-2.5,1e3,true,null,{"b":"\u00e9\"\\\n\ud83d\ude00"}],"c":{},"d":[]}"""
    val value = parse(text)
    check(parse(WaymarkJson.write(value)) == value)
    check(members(list(members(value)["a"])[5])["b"] == "\u00e9\"\\\n\ud83d\ude00")
    for (wrong in listOf("", "{", "[1,]", "{\"a\":}", "01x", "\"\\u12\"", "\"a", "tru", "1 2", "\"\n\"")) {
        check(WaymarkJson.readOrNull(wrong) == null) { wrong }
    }
}

fun anotherAppIsNamed() {
    val members = mapOf("route" to "trips", "app" to "rider", "appVersion" to "driver.ios/9", "link" to "ride:///trips")
    val problem = WaymarkProblem("other-app", 403, "", members)
    check(problem.otherApp == WaymarkOtherApp("trips", "rider", "ride:///trips", null) && problem.appUpdate == null) { problem }
    check(problem.copy(code = "app-update-required").otherApp == null) { problem }
}

fun clientSaysItsVersion(server: String) {
    val link = "navigation:/onboarding/step2"
    val old = (now { client(server, "ios/3.1.9").resolve(link) } as WaymarkAnswer.Failed).problem
    check(old.appUpdate == WaymarkUpdate("step2", "ios", "3.2", "3.1.9", "https://apps.apple.com/app/id123456789")) { old }
    val plain = now { client(server).resolve(link) } as WaymarkAnswer.Plan
    check(plain.plan.requiresApp == mapOf("ios" to "3.2", "android" to "4.0"))
    check((now { client(server, "android/4").resolve(link) } as WaymarkAnswer.Plan).plan.requiresApp.isEmpty())

    // A gate that the app is too old for has no stack.
    val version = setLevel(server, "signedInUser")
    val sheet = "navigation:/characters/character/1?sheet=x"
    val denied = (now { client(server, "ios/8").resolve(sheet, userVersion = version) } as WaymarkAnswer.Denied).denial
    check(checkNotNull(denied.gate).stack.isEmpty())
    val again = now { client(server, "ios/9").redeem(checkNotNull(denied.continuation)) } as WaymarkAnswer.Denied
    check(again.denial.gate?.stack?.last()?.known == AppRoute.Profile)
}

fun clientNamesItsApp() {
    val sent = mutableListOf<Any?>()
    val problem = mapOf(
        "type" to "urn:waymark:problem:other-app", "title" to "t", "status" to 403L, "detail" to "d", "route" to "ride", "app" to "rider",
        "link" to "taxi:/ride",
    )
    val table = object : RouteTable<AppRoute> by AppRoute {
        override val appName: String get() = "driver"
    }
    for (app in listOf("android/4.0", "browser/2", null)) {
        val transport = WaymarkTransport { request ->
            sent.addAll(listOf(request.fields["Waymark-App"], request.body["app"]))
            WaymarkResponse(403, problem)
        }
        val client = WaymarkClient(table, "https://links.example", transport, app = app)
        val answer = (now { client.resolve("taxi:/ride") } as WaymarkAnswer.Failed).problem
        check(answer.otherApp == WaymarkOtherApp("ride", "rider", "taxi:/ride", null)) { answer }
        check(answer.appUpdate == null)
    }
    val named = listOf("driver.android/4.0", "driver.android/4.0", "browser/2", "browser/2", "driver.android/0", null)
    check(sent == named) { sent }
}

fun clientTriesOnceMore(flaky: String) {
    check(now { client(flaky).resolve("navigation:/onboarding") } is WaymarkAnswer.Plan)
    val isLost = try {
        now { client("http://127.0.0.1:9").resolve("navigation:/onboarding") }
        false
    } catch (_: java.io.IOException) {
        true
    }
    check(isLost)
}

fun main() {
    fixturesAreKnown()
    unknownIsWhatItIs()
    val count = transitionsLeadWhereTheyShould()
    val arrivals = arrivalsAreRead()
    tabsKeepTheirStacks()
    jsonIsReadAndWritten()
    clientResolvesAndRedeems(System.getenv("SERVER"))
    lateLevelsAreWaitedFor(System.getenv("SERVER"))
    linksWaitWithoutANetwork(System.getenv("SERVER"))
    anotherAppIsNamed()
    clientSaysItsVersion(System.getenv("SERVER"))
    clientNamesItsApp()
    clientTriesOnceMore(System.getenv("FLAKY"))
    if (System.getenv("BUNDLES") != null) engineAnswers(System.getenv("SERVER"))
    println("kotlin: fixtures, unknown routes, $count transitions, $arrivals arrivals and the client are as they should be")
}
