// Waymark's runtime: a transport to the server by the platform's own HTTP, and the JSON that it needs. It has no
// dependency. An app with HTTP and JSON libraries may give `WaymarkClient` a transport of its own in its place.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

import java.net.HttpURLConnection
import java.net.URL
import kotlin.concurrent.thread
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.suspendCoroutine

/** The transport by `HttpURLConnection`, each request on a thread of its own, so that any dispatcher may call it. */
class WaymarkHttp(private val timeoutMilliseconds: Int = 30_000) : WaymarkTransport {
    override suspend fun send(request: WaymarkRequest): WaymarkResponse = suspendCoroutine { continuation ->
        thread(isDaemon = true, name = "waymark") {
            val response = try {
                Result.success(sendNow(request))
            } catch (error: Exception) {
                Result.failure(error)
            }
            response.fold({ continuation.resume(it) }, { continuation.resumeWithException(it) })
        }
    }

    private fun sendNow(request: WaymarkRequest): WaymarkResponse {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        connection.doOutput = true
        connection.connectTimeout = timeoutMilliseconds
        connection.readTimeout = timeoutMilliseconds
        for ((name, value) in request.fields) connection.setRequestProperty(name, value)
        connection.outputStream.use { it.write(WaymarkJson.write(request.body).encodeToByteArray()) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val text = stream?.use { it.readBytes().decodeToString() }.orEmpty()
        return WaymarkResponse(status, WaymarkJson.readOrNull(text))
    }
}

/** JSON as maps, lists, strings, numbers and Booleans (RFC 8259). */
object WaymarkJson {
    /** The deepest nesting that is read. */
    private const val DEPTH = 64

    /** Reads a text, or returns null if it isn't JSON. */
    fun readOrNull(text: String): Any? = try {
        read(text)
    } catch (_: WaymarkFormatException) {
        null
    }

    /** Reads a text. Throws [WaymarkFormatException]. */
    fun read(text: String): Any? {
        val reader = Reader(text)
        val value = reader.value(0)
        reader.skipSpace()
        if (!reader.isAtEnd) throw WaymarkFormatException("there is more after the JSON value")
        return value
    }

    /** Returns a value as text. */
    fun write(value: Any?): String = StringBuilder().also { write(value, it) }.toString()

    private fun write(value: Any?, output: StringBuilder) {
        when (value) {
            null -> output.append("null")
            is Map<*, *> -> {
                output.append('{')
                value.entries.forEachIndexed { index, (name, item) ->
                    if (index > 0) output.append(',')
                    quote(name.toString(), output)
                    output.append(':')
                    write(item, output)
                }
                output.append('}')
            }
            is List<*> -> {
                output.append('[')
                value.forEachIndexed { index, item ->
                    if (index > 0) output.append(',')
                    write(item, output)
                }
                output.append(']')
            }
            is Boolean, is Number -> output.append(value)
            else -> quote(value.toString(), output)
        }
    }

    private fun quote(text: String, output: StringBuilder) {
        output.append('"')
        for (character in text) {
            when {
                character == '"' || character == '\\' -> output.append('\\').append(character)
                character < ' ' || character.isSurrogate() ->
                    output.append("\\u").append(character.code.toString(16).padStart(4, '0'))
                else -> output.append(character)
            }
        }
        output.append('"')
    }

    private class Reader(private val text: String) {
        private var index = 0

        val isAtEnd: Boolean get() = index == text.length

        fun skipSpace() {
            while (index < text.length && text[index] in " \t\r\n") index += 1
        }

        fun value(depth: Int): Any? {
            if (depth > DEPTH) throw WaymarkFormatException("the JSON is nested too deeply")
            skipSpace()
            return when (val first = text.getOrNull(index)) {
                '{' -> members(depth)
                '[' -> list('[', ']') { value(depth + 1) }
                '"' -> string()
                't' -> word("true", true)
                'f' -> word("false", false)
                'n' -> word("null", null)
                else -> if (first == '-' || first in '0'..'9') number() else throw unexpected()
            }
        }

        private operator fun CharRange.contains(character: Char?): Boolean = character != null && contains(character)

        private fun members(depth: Int): Map<String, Any?> {
            val members = LinkedHashMap<String, Any?>()
            list('{', '}') {
                skipSpace()
                val name = string()
                skipSpace()
                expect(':')
                members[name] = value(depth + 1)
            }
            return members
        }

        private fun <Item> list(open: Char, close: Char, item: () -> Item): List<Item> {
            val items = mutableListOf<Item>()
            expect(open)
            skipSpace()
            if (text.getOrNull(index) == close) {
                index += 1
                return items
            }
            while (true) {
                items.add(item())
                skipSpace()
                if (text.getOrNull(index) == close) {
                    index += 1
                    return items
                }
                expect(',')
            }
        }

        private fun string(): String {
            expect('"')
            val result = StringBuilder()
            while (true) {
                val character = text.getOrNull(index) ?: throw unexpected()
                index += 1
                when {
                    character == '"' -> return result.toString()
                    character == '\\' -> result.append(escaped())
                    character < ' ' -> throw unexpected()
                    else -> result.append(character)
                }
            }
        }

        private fun escaped(): Char {
            val character = text.getOrNull(index) ?: throw unexpected()
            index += 1
            return when (character) {
                '"', '\\', '/' -> character
                'b' -> '\b'
                'f' -> '\u000C'
                'n' -> '\n'
                'r' -> '\r'
                't' -> '\t'
                'u' -> {
                    val digits = text.substring(index, minOf(index + 4, text.length))
                    val isHex = digits.length == 4 && digits.all { it.isLetterOrDigit() && it.digitToIntOrNull(16) != null }
                    if (!isHex) throw unexpected()
                    index += 4
                    digits.toInt(16).toChar()
                }
                else -> throw unexpected()
            }
        }

        private fun number(): Number {
            val begin = index
            while (index < text.length && (text[index] in '0'..'9' || text[index] in "+-.eE")) index += 1
            val digits = text.substring(begin, index)
            return digits.toLongOrNull() ?: digits.toDoubleOrNull() ?: throw unexpected()
        }

        private fun word(word: String, value: Any?): Any? {
            if (!text.startsWith(word, index)) throw unexpected()
            index += word.length
            return value
        }

        private fun expect(character: Char) {
            if (text.getOrNull(index) != character) throw unexpected()
            index += 1
        }

        private fun unexpected() = WaymarkFormatException("the text isn't JSON from character $index on")
    }
}
