// The engine over JNI, with the signature, the file, the server's bundle and the transport: `scripts/prove kotlin` runs it.
package check

import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.security.KeyFactory
import java.security.Security
import java.security.Signature
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import waymark.*

/** The folder with `key.pem`, `key.txt` and the bundles 6, 7 and 8, the last of which the server has. */
private val folder = File(System.getenv("BUNDLES"))
private val key = File(folder, "key.txt").readText().trim()

private fun bundle(number: Int) =
    WaymarkBundle(File(folder, "$number.bundle").readBytes(), File(folder, "$number.bundle.sig").readText())

/** Offers a bundle that must be refused, and returns the reason. */
private fun refusal(engine: WaymarkEngine, bundle: WaymarkBundle): String {
    val sequence = engine.sequence
    check(!engine.take(bundle) && engine.sequence == sequence)
    return checkNotNull(engine.refused) { "the bundle is accepted" }
}

/** Signs bytes as `waymark catalog bundle` does. */
private fun signed(bytes: ByteArray): WaymarkBundle {
    val lines = File(folder, "key.pem").readLines()
    val der = Base64.getDecoder().decode(lines.subList(1, lines.size - 1).joinToString(""))
    val signature = Signature.getInstance("Ed25519").run {
        initSign(KeyFactory.getInstance("Ed25519").generatePrivate(PKCS8EncodedKeySpec(der)))
        update(bytes)
        Base64.getUrlEncoder().withoutPadding().encodeToString(sign())
    }
    val id = members(parse(bundle(7).signature))["keyId"]
    return WaymarkBundle(bytes, WaymarkJson.write(mapOf("keyId" to id, "ed25519" to signature)))
}

private fun badBundlesAreRefused() {
    val seed = bundle(7)
    val other = Base64.getUrlEncoder().withoutPadding().encodeToString(ByteArray(32) { 9 })
    check("is not trusted" in WaymarkEngine(listOf(other), seed = seed).refused.orEmpty())
    val engine = WaymarkEngine(listOf(other, key), seed = seed)
    val changed = seed.bytes.copyOf().also { it[it.size - 3] = 'x'.code.toByte() }
    for (wrong in listOf(changed to seed.signature, seed.bytes to bundle(8).signature)) {
        check(refusal(engine, WaymarkBundle(wrong.first, wrong.second)) == "the bundle's signature is wrong")
    }
    for (text in listOf("", "7", "{}", "[]")) {
        check("is not trusted" in refusal(engine, WaymarkBundle(seed.bytes, text)))
    }
    val id = members(parse(seed.signature))["keyId"]
    for (text in listOf("", "=", "AAAA", "é", "A".repeat(86))) {
        val signature = WaymarkJson.write(mapOf("keyId" to id, "ed25519" to text))
        check(refusal(engine, WaymarkBundle(seed.bytes, signature)) == "the bundle's signature is wrong") { text }
    }
    check(refusal(engine, bundle(6)) == "the bundle's number 6 is lower than 7")
    for (text in listOf("", "{}", "{\"sequence\":9,", "{\"sequence\":9,\"issuedAt\":\"2026-11-22T09:00:00Z\",\"catalog\":{}}")) {
        check(refusal(engine, signed(text.encodeToByteArray())).startsWith("the bundle is malformed")) { text }
    }
    check(engine.sequence == 7L && resolve(engine, "navigation:/onboarding").first == 200)
    check(engine.take(bundle(8)) && engine.sequence == 8L && !engine.take(bundle(8)) && engine.refused == null)
    engine.close()

    // A system without Ed25519.
    val provider = Security.getProvider("SunEC")
    Security.removeProvider(provider.name)
    try {
        check("has no Ed25519" in WaymarkEngine(listOf(key), seed = seed).refused.orEmpty())
        var asked = 0
        val own = { publicKey: ByteArray, signature: ByteArray, message: ByteArray ->
            asked += 1
            publicKey.size == 32 && message.contentEquals(seed.bytes) && signature.size == 64
        }
        WaymarkEngine(listOf(key), seed = seed, verify = own).use { check(it.sequence == 7L && asked == 1) }
        WaymarkEngine(listOf(key), seed = bundle(6), verify = own).use { check(it.refused == "the bundle's signature is wrong") }
    } finally {
        Security.addProvider(provider)
    }
}

private fun goodBundlesAreKeptAndFetched(server: String) {
    val file = File(folder, "kept/catalog.bundle")
    val engine = WaymarkEngine(listOf(key), file)
    check(engine.sequence == null && engine.answer("/v1/resolve", "{}".encodeToByteArray()) == null)
    check(engine.take(bundle(7)))
    check(!now { engine.refresh("http://127.0.0.1:9") } && engine.refused == null && engine.checkedAt == null)
    check(now { engine.refresh(server) } && engine.sequence == 8L && engine.refused == null && engine.checkedAt != null)
    check(!now { engine.refresh("$server/nowhere") } && engine.refused == "the server has no bundle: 404")
    check(!now { engine.refresh("$server/") } && engine.refused == null)

    // The tag is kept too: this request has it.
    val next = WaymarkEngine(listOf(key), file, seed = bundle(7))
    check(next.sequence == 8L && next.refused == null && !now { next.refresh(server) })
    WaymarkEngine(listOf(key), file, seed = bundle(8)).use { check(it.sequence == 8L) }
    for (damage in listOf(ByteArray(0), file.readBytes().dropLast(1).toByteArray(), "\n\n{".encodeToByteArray())) {
        file.writeBytes(damage)
        WaymarkEngine(listOf(key), file, seed = bundle(7)).use { check(it.sequence == 7L && it.refused != null) }
    }
    val newest = WaymarkEngine(listOf(key), seed = signed(bundle(8).bytes.decodeToString()
        .replace("{\"sequence\":8,", "{\"sequence\":9,").encodeToByteArray()))
    check(!now { newest.refresh(server) } && newest.refused == "the bundle's number 8 is lower than 9" && newest.sequence == 9L)
}

private fun resolve(engine: WaymarkEngine, link: String, level: String? = null): Pair<Int, String> {
    val body = WaymarkJson.write(mapOf("link" to link, "level" to level).filterValues { it != null })
    val (status, answer) = checkNotNull(engine.answer("/v1/resolve", body.encodeToByteArray()))
    return status to answer.decodeToString()
}

/** Asks a server with bytes. */
private fun post(url: String, body: String): Pair<Int, String> {
    val connection = URL(url).openConnection() as HttpURLConnection
    connection.requestMethod = "POST"
    connection.doOutput = true
    connection.setRequestProperty("Content-Type", "application/json")
    connection.outputStream.use { it.write(body.encodeToByteArray()) }
    val status = connection.responseCode
    val stream = if (status < 400) connection.inputStream else connection.errorStream
    return status to stream.use { it.readBytes().decodeToString() }
}

private fun bytesAreTheServers(engine: WaymarkEngine, server: String): Int {
    val place = WaymarkJson.write(characters().map { it.toJson() })
    val paths = listOf(
        "", "onboarding", "onboarding/step1/step2", "characters/character/1", "characters/character/1?sheet=%C3%A9%F0%9F%98%80",
        "characters/character/x", "settings/profile", "episodes?a=b&c", "charcters", "s/code", "login#f", "%zz", "character/9223372036854775807",
    )
    val resolves = paths.flatMap { path ->
        listOf("navigation:/", "https://loremipsum.com/", "https://else.where/").flatMap { origin ->
            listOf(
                "", ",\"level\":\"signedInUser\"", ",\"level\":\"premiumUser\",\"from\":$place,\"explain\":true",
                ",\"level\":\"signedInUser\",\"from\":$place,\"mode\":\"append\",\"app\":\"ios/8\"", ",\"holds\":[\"premiumUser\"]",
            ).map { "{\"link\":\"$origin$path\"$it}" }
        }
    } + listOf("", "{", "[]", "{}", "{\"link\":7}", "{\"link\":\"navigation:/\",\"x\":1}", "[".repeat(5000), "\u0000", "{\"link\":\"\\ud800\"}")
    val links = list(members(parse(File(System.getenv("FIXTURES")).readText()))["destinations"]).map { destination ->
        WaymarkJson.write(mapOf("stack" to listOf(destination), "scheme" to "https"))
    } + listOf("{\"stack\":$place}", "{\"stack\":[]}", "{}", "{")
    val requests = resolves.map { "/v1/resolve" to it } + links.map { "/v1/links" to it }
    var same = 0
    for ((path, body) in requests) {
        val (status, bytes) = checkNotNull(engine.answer(path, body.encodeToByteArray()))
        val own = status to bytes.decodeToString()
        // Only a server knows codes and issues continuations.
        val (code, text) = post(server + path, body)
        val theirs = code to text.replace(Regex(""","continuation":"[^"]*""""), "")
        if ("unknown-short-link" !in own.second) check(own == theirs) { "$body: $own instead of $theirs" } else same -= 1
        same += 1
    }
    return same
}

/** Breaks the module: its stack is below its memory from now on. */
private fun breakOff(engine: WaymarkEngine) {
    val unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe").apply { isAccessible = true }.get(null)
    val module = WaymarkEngine::class.java.getDeclaredField("native").apply { isAccessible = true }.getLong(engine)
    unsafe.javaClass.getMethod("putInt", Long::class.java, Int::class.java).invoke(unsafe, module, 16)
}

private fun trapsEndTheEngineAlone(engine: WaymarkEngine) {
    val answer = resolve(engine, "navigation:/onboarding")
    repeat(3) {
        breakOff(engine)
        val trap = runCatching { resolve(engine, "navigation:/onboarding") }.exceptionOrNull()
        check(trap is WaymarkEngineException && trap.message.orEmpty().startsWith("the engine broke off: ")) { "$trap" }
        check(resolve(engine, "navigation:/onboarding") == answer)
    }
    // From any thread, with a stack as small as a phone's.
    val right = AtomicInteger()
    val deep = "{\"link\":\"navigation:/onboarding\",\"from\":" + "[{\"a\":".repeat(400) + "}]".repeat(400) + "}"
    val threads = List(8) {
        Thread(null, {
            repeat(200) { if (resolve(engine, "navigation:/onboarding") == answer) right.incrementAndGet() }
            checkNotNull(engine.answer("/v1/resolve", deep.encodeToByteArray()))
        }, "small", 512 * 1024).apply { start() }
    }
    threads.forEach { it.join() }
    check(right.get() == 1600)
    engine.close()
    check(resolve(engine, "navigation:/onboarding") == answer)
}

/** A server that takes its time, and may be away. */
private class SlowServer(private val milliseconds: Long, private val answer: () -> WaymarkResponse) : WaymarkTransport {
    val sent = AtomicInteger()

    override suspend fun send(request: WaymarkRequest): WaymarkResponse = kotlin.coroutines.suspendCoroutine { continuation ->
        sent.incrementAndGet()
        thread(isDaemon = true) {
            Thread.sleep(milliseconds)
            continuation.resumeWith(runCatching(answer))
        }
    }
}

private fun transportWaitsForItsPatience(engine: WaymarkEngine, server: String) {
    val link = "navigation:/characters"
    fun client(transport: WaymarkTransport) = WaymarkClient(AppRoute, server, transport, user = { "kotlin" })
    val version = setLevel(server, "signedInUser")
    val transport = WaymarkEngineTransport(engine, WaymarkHttp(), patience = 30_000)
    val byServer = now { client(transport).resolve(link, userVersion = version) } as WaymarkAnswer.Plan
    check(byServer.answeredBy == WaymarkAnsweredBy.Server)

    // Alone, at the level that the app knows.
    val alone = WaymarkEngineTransport(engine) { "signedInUser" }
    val byEngine = now { client(alone).resolve(link, userVersion = version) } as WaymarkAnswer.Plan
    check(byEngine.answeredBy == WaymarkAnsweredBy.Engine && byEngine.plan == byServer.plan)
    val denied = now { client(WaymarkEngineTransport(engine)).resolve(link) } as WaymarkAnswer.Denied
    check(denied.answeredBy == WaymarkAnsweredBy.Engine && denied.denial.gate?.level == "onboardingCompleted")
    check(denied.denial.continuation == null)
    val short = now { client(alone).resolve("navigation:/nowhere") } as WaymarkAnswer.Failed
    check(short.problem.code == "no-matching-route" && short.answeredBy == WaymarkAnsweredBy.Engine)

    // In time, too late, overloaded, away.
    val plan = WaymarkResponse(200, byServer.plan.let { mapOf("link" to it.link, "stack" to emptyList<Any>(), "catalogVersion" to "s") })
    fun ask(transport: WaymarkTransport, patience: Long, link: String = "navigation:/characters"): Pair<WaymarkAnswer<AppRoute>, Long> {
        val begin = System.nanoTime()
        val answer = now { client(WaymarkEngineTransport(engine, transport, patience) { "signedInUser" }).resolve(link) }
        return answer to (System.nanoTime() - begin) / 1_000_000
    }
    check(ask(SlowServer(0) { plan }, 30_000).first.answeredBy == WaymarkAnsweredBy.Server)
    val late = SlowServer(5000) { plan }
    val (answer, took) = ask(late, 100)
    check(answer.answeredBy == WaymarkAnsweredBy.Engine && took in 99..4900 && late.sent.get() == 1) { "$took ms" }
    for (status in listOf(429, 500, 503)) {
        check(ask(SlowServer(0) { WaymarkResponse(status, null) }, 30_000).first.answeredBy == WaymarkAnsweredBy.Engine)
    }
    check(ask(SlowServer(0) { throw IOException("away") }, 30_000).first.answeredBy == WaymarkAnsweredBy.Engine)
    // A link that the engine does not know waits for the server, and for a network.
    check(ask(SlowServer(300) { plan }, 1, "navigation:/nowhere").first.answeredBy == WaymarkAnsweredBy.Server)
    val lost = SlowServer(0) { throw IOException("away") }
    check(runCatching { ask(lost, 1, "navigation:/nowhere") }.exceptionOrNull() is IOException && lost.sent.get() == 2)
    // So does an app without a catalog.
    val empty = WaymarkEngine(listOf(key))
    check(now { client(WaymarkEngineTransport(empty, SlowServer(300) { plan }, 1)).resolve(link) }.answeredBy == WaymarkAnsweredBy.Server)
    check(runCatching { now { client(WaymarkEngineTransport(empty)).resolve(link) } }.exceptionOrNull() is WaymarkEngineException)
}

/** A cold start without the server, its gate, and the way on once the server is back. */
private fun navigatorGoesOnWithoutTheServer(engine: WaymarkEngine, server: String) {
    setLevel(server, "premiumUser")
    var isAway = false
    val sent = mutableListOf<String>()
    val http = WaymarkTransport {
        sent.add(it.url.removePrefix(server))
        if (isAway) throw IOException("there is no network")
        WaymarkHttp().send(it)
    }
    var level: String? = "signedInUser"
    val client =
        WaymarkClient(AppRoute, server, WaymarkEngineTransport(engine, http, patience = 30_000) { level }, user = { "kotlin" })
    val navigator = WaymarkNavigator(AppRoute, client, characters(), pause = {})
    isAway = true
    val link = "navigation:/characters/character/1?sheet=x"
    check(now { navigator.open(link) } == WaymarkOutcome.Gated && navigator.denial?.gate?.level == "premiumUser")
    level = "premiumUser"
    check(now { navigator.resume() } == WaymarkOutcome.Shown && navigator.pending == null && navigator.state.stack.size == 4)
    navigator.dismiss()
    sent.clear()
    check(now { navigator.link() } == "navigation://loremipsum.com/characters/character/1" && sent.isEmpty())

    // A gate of the server's, which goes away: the engine has no use for the token, and resolves the link.
    isAway = false
    setLevel(server, "signedInUser")
    check(now { navigator.open(link) } == WaymarkOutcome.Gated && navigator.pending?.token != null)
    isAway = true
    check(now { navigator.resume() } == WaymarkOutcome.Shown)
    isAway = false
    level = null
    check(now { navigator.open("navigation:/episodes") } == WaymarkOutcome.Shown)
}

private fun measure(engine: WaymarkEngine) {
    val body = """{"link":"navigation:/characters/character/1","level":"signedInUser"}""".encodeToByteArray()
    repeat(2_000) { engine.answer("/v1/resolve", body) }
    val begin = System.nanoTime()
    repeat(5_000) { engine.answer("/v1/resolve", body) }
    val resolves = System.nanoTime()
    repeat(10) {
        engine.close()
        engine.answer("/v1/resolve", body)
    }
    val loads = System.nanoTime()
    println("kotlin: the engine answers in ${(resolves - begin) / 5_000_000} µs and loads in ${(loads - resolves) / 10_000_000} ms")
}

fun engineAnswers(server: String) {
    badBundlesAreRefused()
    goodBundlesAreKeptAndFetched(server)
    val engine = WaymarkEngine(listOf(key), seed = bundle(8))
    val same = bytesAreTheServers(engine, server)
    trapsEndTheEngineAlone(engine)
    transportWaitsForItsPatience(engine, server)
    navigatorGoesOnWithoutTheServer(engine, server)
    measure(engine)
    engine.close()
    println("kotlin: $same answers of the engine are the server's; bundles, traps and patience are as they should be")
}
