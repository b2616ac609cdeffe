// Waymark's runtime: the engine in the app, which answers links without a server by a signed catalog. It is the server's own
// engine in C: build `waymark_engine.c` of a release and `waymark_engine_jni.c` as the library `waymark_engine`.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.MessageDigest
import java.security.NoSuchAlgorithmException
import java.security.Signature
import java.security.spec.X509EncodedKeySpec
import java.util.Base64
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.cancellation.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.startCoroutine
import kotlin.coroutines.suspendCoroutine

/** The error of a bundle that is refused, or of an engine that broke off. */
class WaymarkEngineException(message: String) : Exception(message)

/**
 * A bundle of `waymark catalog bundle`: its bytes, the text of the file `.sig` or of the field `Waymark-Signature`, and the
 * `ETag` of the server that it came from.
 */
class WaymarkBundle(val bytes: ByteArray, val signature: String, val tag: String? = null)

/**
 * A signed catalog and the engine that answers by it, as the server does, byte by byte.
 *
 * The level is the app's own claim: it decides what an honest user sees first, and protects nothing.
 *
 * [keys] are the public keys that the app trusts, as `waymark catalog bundle` prints them. [file] keeps the last good bundle
 * over launches, and [seed] is a bundle that the app ships: the one with the higher number is in force. Without both there is
 * no catalog before [refresh]. [verify] verifies an Ed25519 signature of 64 bytes by a key of 32, in place of `java.security`:
 * a system without Ed25519, such as Android before 33, refuses every bundle without it.
 */
class WaymarkEngine(
    keys: List<String>,
    private val file: File? = null,
    seed: WaymarkBundle? = null,
    private val verify: ((key: ByteArray, signature: ByteArray, message: ByteArray) -> Boolean)? = null,
) : AutoCloseable {
    private val keys = keys.map { Base64.getUrlDecoder().decode(it) }.associateBy(::keyId)
    private var bundle: WaymarkBundle? = null
    private var native = 0L

    /** The number of the bundle in force, or null without one. */
    @get:Synchronized
    var sequence: Long? = null
        private set

    /** The reason for which the last bundle was refused, or null once another was confirmed. */
    @Volatile
    var refused: String? = null
        private set

    /** The time at which the server last confirmed the catalog, in milliseconds since 1970, or null. */
    @Volatile
    var checkedAt: Long? = null
        private set

    init {
        take(keeps = false) { file?.let(::kept) }
        val damage = refused
        take(keeps = false) { seed?.takeIf { sequenceOf(it) > (sequence ?: -1) } }
        refused = refused ?: damage
    }

    /**
     * Answers a body of `/v1/resolve` or `/v1/links` with the status and the body of the server's answer, or null without a
     * catalog. Throws [WaymarkEngineException] if the engine broke off: the next call has a new one.
     */
    @Synchronized
    fun answer(path: String, body: ByteArray): Pair<Int, ByteArray>? {
        if (native == 0L) native = load(bundle ?: return null)
        val answer = arrayOfNulls<ByteArray>(1)
        try {
            val status = WaymarkLibrary.answer(native, path == "/v1/links", body, answer)
            return status to (answer[0] ?: ByteArray(0))
        } catch (trap: IllegalStateException) {
            close()
            throw WaymarkEngineException("the engine broke off: ${trap.message}")
        }
    }

    /**
     * Asks the server for a newer bundle, and returns whether there is one. [fields] are fields of the request, such as
     * `Authorization` and `Waymark-App`. A bundle that is [refused] changes nothing, and neither does a server that is away.
     */
    suspend fun refresh(server: String, fields: Map<String, String> = emptyMap()): Boolean = suspendCoroutine { continuation ->
        thread(isDaemon = true, name = "waymark") {
            val isNewer = try {
                take { fetch(URL(server.trimEnd('/') + "/v1/catalog/bundle"), fields) }.also {
                    if (refused == null) checkedAt = System.currentTimeMillis()
                }
            } catch (_: IOException) {
                false
            }
            continuation.resume(isNewer)
        }
    }

    /**
     * Puts a bundle in force, keeps it, and returns whether its number is higher than the last one. A bundle that is [refused]
     * changes nothing.
     */
    fun take(bundle: WaymarkBundle): Boolean = take { bundle }

    private fun take(keeps: Boolean = true, next: () -> WaymarkBundle?): Boolean = try {
        next()?.let { replace(it, keeps) } ?: false
    } catch (error: WaymarkEngineException) {
        refused = error.message
        false
    }

    @Synchronized
    private fun replace(next: WaymarkBundle, keeps: Boolean): Boolean {
        requireSigned(next)
        val number = sequenceOf(next)
        val last = sequence ?: -1
        if (number < last) throw WaymarkEngineException("the bundle's number $number is lower than $last")
        val loaded = load(next)
        close()
        native = loaded
        bundle = next
        sequence = number
        refused = null
        if (keeps && number > last) keep(next)
        return number > last
    }

    /** Frees the memory of the engine. The next answer takes it again. */
    @Synchronized
    override fun close() {
        if (native != 0L) WaymarkLibrary.free(native)
        native = 0
    }

    private fun load(bundle: WaymarkBundle): Long {
        val issue = arrayOfNulls<ByteArray>(1)
        val loaded = try {
            WaymarkLibrary.load(bundle.bytes, issue)
        } catch (trap: IllegalStateException) {
            throw WaymarkEngineException("the engine broke off: ${trap.message}")
        }
        if (loaded == 0L) throw WaymarkEngineException("the bundle is malformed: ${issue[0]?.decodeToString()}")
        return loaded
    }

    // The signature

    private fun requireSigned(bundle: WaymarkBundle) {
        val members = WaymarkJson.readOrNull(bundle.signature) as? Map<*, *>
        val id = members?.get("keyId")
        val key = keys[id] ?: throw WaymarkEngineException("the bundle's key $id is not trusted")
        val isSigned = try {
            val signature = Base64.getUrlDecoder().decode(members?.get("ed25519") as? String ?: "")
            signature.size == 64 && isSignature(key, bundle.bytes, signature)
        } catch (_: IllegalArgumentException) {
            false
        }
        if (!isSigned) throw WaymarkEngineException("the bundle's signature is wrong")
    }

    private fun isSignature(key: ByteArray, message: ByteArray, signature: ByteArray): Boolean = try {
        verify?.invoke(key, signature, message) ?: Signature.getInstance("Ed25519").run {
            initVerify(KeyFactory.getInstance("Ed25519").generatePublic(X509EncodedKeySpec(PREFIX + key)))
            update(message)
            verify(signature)
        }
    } catch (_: NoSuchAlgorithmException) {
        throw WaymarkEngineException("this system has no Ed25519: bundles are refused without a function `verify`")
    } catch (_: GeneralSecurityException) {
        false
    }

    // The file, of three lines: the tag, the signature, the bundle

    private fun keep(bundle: WaymarkBundle) {
        if (file == null) return
        try {
            file.parentFile?.mkdirs()
            val next = File(file.path + ".new")
            next.writeBytes("${bundle.tag.orEmpty()}\n${bundle.signature.trim()}\n".encodeToByteArray() + bundle.bytes)
            // One that is not written is fetched again.
            next.renameTo(file)
        } catch (_: IOException) {
            return
        }
    }

    private fun kept(file: File): WaymarkBundle? {
        val bytes = try {
            file.readBytes()
        } catch (_: IOException) {
            return null
        }
        val first = bytes.indexOf('\n'.code.toByte())
        val second = (first + 1 until bytes.size).find { bytes[it] == '\n'.code.toByte() }
        if (first < 0 || second == null) throw WaymarkEngineException("the bundle in $file is damaged")
        val tag = bytes.decodeToString(0, first).ifEmpty { null }
        return WaymarkBundle(bytes.copyOfRange(second + 1, bytes.size), bytes.decodeToString(first + 1, second), tag)
    }

    // The server

    /** Returns the server's bundle, or null if it has the one in force. */
    private fun fetch(url: URL, fields: Map<String, String>): WaymarkBundle? {
        val connection = url.openConnection() as HttpURLConnection
        connection.connectTimeout = 30_000
        connection.readTimeout = 30_000
        for ((name, value) in fields) connection.setRequestProperty(name, value)
        synchronized(this) { bundle?.tag }?.let { connection.setRequestProperty("If-None-Match", it) }
        val status = connection.responseCode
        if (status == HttpURLConnection.HTTP_NOT_MODIFIED) {
            refused = null
            return null
        }
        if (status != HttpURLConnection.HTTP_OK) throw WaymarkEngineException("the server has no bundle: $status")
        val signature = connection.getHeaderField("Waymark-Signature").orEmpty()
        val bytes = connection.inputStream.use { it.readBytes() }
        return WaymarkBundle(bytes, signature, connection.getHeaderField("ETag"))
    }

    private companion object {
        /** The bytes before the key in its X.509 form (RFC 8410). */
        val PREFIX = byteArrayOf(0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00)

        /** The first member of a bundle. */
        val SEQUENCE = Regex("""^\{"sequence":([0-9]{1,18}),""")

        fun keyId(key: ByteArray): String =
            MessageDigest.getInstance("SHA-256").digest(key).take(6).joinToString("") { "%02x".format(it) }

        fun sequenceOf(bundle: WaymarkBundle): Long =
            SEQUENCE.find(bundle.bytes.decodeToString(0, minOf(bundle.bytes.size, 64)))?.groupValues?.get(1)?.toLong()
                ?: throw WaymarkEngineException("the bundle is malformed: it has no number")
    }
}

/**
 * A transport of the client: the engine alone, or the [server] first, and the engine if no answer arrives within [patience], in
 * milliseconds. A server that is overloaded or away (429, or 500 and above) has no answer. The engine stands in for a server
 * with plans and gates only: what it does not know, such as a short link, waits for the server. It answers `navigator.link` in
 * both cases.
 *
 * [level] and [grants] are those that the app assumes for its user, and count for the engine alone.
 */
class WaymarkEngineTransport(
    private val engine: WaymarkEngine,
    private val server: WaymarkTransport? = null,
    private val patience: Long = 400,
    private val grants: () -> List<String> = { emptyList() },
    private val level: () -> String? = { null },
) : WaymarkTransport {
    override suspend fun send(request: WaymarkRequest): WaymarkResponse {
        val question = Question(request)
        if (server == null) return question.answer() ?: throw WaymarkEngineException("the engine has no answer")
        return question.takeIf { it.path == "/v1/links" }?.decision() ?: race(server, request, question)
    }

    private suspend fun race(server: WaymarkTransport, request: WaymarkRequest, question: Question): WaymarkResponse =
        suspendCoroutine { continuation ->
            val isOpen = AtomicBoolean(true)
            val waiting = thread(isDaemon = true, name = "waymark") {
                try {
                    Thread.sleep(patience)
                } catch (_: InterruptedException) {
                    return@thread
                }
                val own = question.decision()
                if (own != null && isOpen.compareAndSet(true, false)) continuation.resume(own)
            }
            suspend { server.send(request) }.startCoroutine(
                Continuation(continuation.context) { result ->
                    waiting.interrupt()
                    val own = if (isAnswer(result)) null else question.decision()
                    if (isOpen.compareAndSet(true, false)) continuation.resumeWith(own?.let { Result.success(it) } ?: result)
                },
            )
        }

    private fun isAnswer(result: Result<WaymarkResponse>): Boolean = result.fold(
        { it.status < 500 && it.status != 429 },
        // The app gave up itself.
        { it is CancellationException },
    )

    /** A request for the engine, which knows no users. */
    private inner class Question(request: WaymarkRequest) {
        val path = "/v1/" + request.url.substringAfterLast("/v1/")

        private val claims: Map<String, Any?> = if (path == "/v1/links") emptyMap() else mapOf(
            "level" to level(),
            "grants" to grants().ifEmpty { null },
            "holds" to request.fields["Waymark-Holds"]?.split(", "),
        ).filterValues { it != null }

        private val body = WaymarkJson.write(request.body - "user" - "userVersion" + claims).encodeToByteArray()

        /** Returns the engine's answer, or null without a catalog, and if the engine broke off. */
        fun answer(): WaymarkResponse? {
            if (path == "/v1/continuations") return EXPIRED.takeIf { engine.sequence != null }
            val (status, body) = try {
                engine.answer(path, body)
            } catch (_: WaymarkEngineException) {
                null
            } ?: return null
            return WaymarkResponse(status, WaymarkJson.readOrNull(body.decodeToString()), WaymarkAnsweredBy.Engine)
        }

        /** Returns the engine's answer if it can stand in for a server's. */
        fun decision(): WaymarkResponse? =
            answer()?.takeIf { it.status == 200 || it === EXPIRED || WaymarkAnswer.isDenial(it.status, it.body) }
    }

    private companion object {
        /** The engine issues no continuations: the navigator resolves the link instead. */
        val EXPIRED = WaymarkResponse(
            410,
            mapOf("type" to "urn:waymark:problem:continuation-expired", "detail" to "The server gave no answer."),
            WaymarkAnsweredBy.Engine,
        )
    }
}

/** The functions of `waymark_engine_jni.c`. Its name and theirs are parts of their names there. */
private object WaymarkLibrary {
    init {
        System.loadLibrary("waymark_engine")
    }

    @Synchronized
    external fun load(bundle: ByteArray, answer: Array<ByteArray?>): Long

    @Synchronized
    external fun answer(engine: Long, linksTo: Boolean, body: ByteArray, answer: Array<ByteArray?>): Int

    @Synchronized
    external fun free(engine: Long)
}
