// Waymark's runtime: deferred deep links. It uses the standard library alone.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

/** The result of a search for a link that led to the installation of the app. */
sealed interface ArrivalFinding {
    /** The link, to be resolved like any other. */
    data class Link(val link: String) : ArrivalFinding

    /** There is none: the installation has another cause. */
    data object Absent : ArrivalFinding

    /** There is one, and it isn't readable: it was cut off, or changed on its way. */
    data object Malformed : ArrivalFinding

    /** There is one, and it isn't the app's. */
    data object Foreign : ArrivalFinding

    /** There is one, and it is too old, or younger than the installation. */
    data object Expired : ArrivalFinding
}

/**
 * The reader of deferred deep links. It sends no request and stores nothing.
 *
 * [hosts] are the hosts of the catalog's https origins, where a leading `*.` stands for any label. [maximumAge] is the
 * longest time between the click and the reading, in seconds.
 */
class ArrivalReader(hosts: List<String>, private val maximumAge: Long = 7 * 86_400) {
    private val hosts = hosts.map { it.lowercase() }

    /**
     * Returns the link in the referrer of Google Play: [clickedAt] is its `referrerClickTimestampSeconds`,
     * [installedAt] its `installBeginTimestampSeconds`, 0 if unknown, and [now] the present in seconds since 1970.
     */
    fun findInReferrer(referrer: String, clickedAt: Long, installedAt: Long, now: Long): ArrivalFinding {
        val value = waymarkValue(referrer) ?: return ArrivalFinding.Absent
        val finding = findingOf(value)
        if (finding !is ArrivalFinding.Link) return finding
        if (clickedAt > 0 && installedAt > 0 && clickedAt > installedAt) return ArrivalFinding.Expired
        val since = if (clickedAt > 0) clickedAt else installedAt
        return if (since > 0 && now - since > maximumAge) ArrivalFinding.Expired else finding
    }

    /** Returns the link in a text that a person pasted: the first word of it that is one of the app's links. */
    fun findInPasted(text: String): ArrivalFinding {
        var best: ArrivalFinding = ArrivalFinding.Absent
        for (word in text.split(Regex("[\\t-\\r \\u00a0]+"))) {
            val finding = findingOf(word)
            if (finding is ArrivalFinding.Link) return finding
            if (finding == ArrivalFinding.Foreign) best = finding
            if (finding == ArrivalFinding.Malformed && best == ArrivalFinding.Absent) best = finding
        }
        return best
    }

    /** Returns the link that Safari's banner opened the app with. */
    fun findInBanner(argument: String): ArrivalFinding = findingOf(argument)

    /** Classifies a text that is to be a link, percent-encoded or not. */
    private fun findingOf(original: String): ArrivalFinding {
        var text = original
        for (round in 0 until 3) {
            if (isAddress(text)) break
            // An encoded address has its colon encoded. A link that is itself encoded inside stays as it is.
            if (!encodedStart.containsMatchIn(text)) return ArrivalFinding.Absent
            text = decode(text) ?: return ArrivalFinding.Malformed
        }
        if (!isAddress(text)) return ArrivalFinding.Absent
        if (text.encodeToByteArray().size > 8_192 || unsound.containsMatchIn(text)) return ArrivalFinding.Malformed
        val authority = text.drop(8).takeWhile { it != '/' && it != '?' && it != '#' }.lowercase()
        return if (isOwn(authority)) ArrivalFinding.Link(text) else ArrivalFinding.Foreign
    }

    private fun isOwn(host: String): Boolean = hosts.any { own ->
        if (!own.startsWith("*.")) {
            own == host
        } else {
            val label = host.removeSuffix(own.drop(1))
            label != host && label.isNotEmpty() && '.' !in label
        }
    }

    private companion object {
        val encodedStart = Regex("^https%(?:25){0,2}3a", RegexOption.IGNORE_CASE)
        val unsound = Regex("[\\u0000-\\u0020\\u007f\\\\]|%(?![0-9A-Fa-f]{2})")

        fun isAddress(text: String): Boolean = text.length > 8 && text.startsWith("https://", ignoreCase = true)

        /** Returns the value of `waymark`, still encoded. Some senders encode the whole text once more. */
        fun waymarkValue(referrer: String): String? {
            var text = referrer
            for (round in 0 until 3) {
                val pair = text.split("&").firstOrNull { it.startsWith("waymark=") }
                if (pair != null) return pair.removePrefix("waymark=")
                if ('%' !in text) return null
                text = decode(text) ?: return null
            }
            return null
        }

        /** Decodes percent-encoding once, or returns null if it is cut off or isn't UTF-8. */
        fun decode(text: String): String? {
            val source = text.encodeToByteArray()
            val bytes = ByteArray(source.size)
            var count = 0
            var index = 0
            while (index < source.size) {
                var byte = source[index]
                if (byte == '%'.code.toByte()) {
                    val high = digit(source.getOrNull(index + 1)) ?: return null
                    val low = digit(source.getOrNull(index + 2)) ?: return null
                    byte = (high * 16 + low).toByte()
                    index += 2
                }
                bytes[count] = byte
                count += 1
                index += 1
            }
            return try {
                bytes.decodeToString(0, count, throwOnInvalidSequence = true)
            } catch (_: CharacterCodingException) {
                null
            }
        }

        private fun digit(byte: Byte?): Int? = byte?.toInt()?.toChar()?.digitToIntOrNull(16)
    }
}

/**
 * The record of the link that led to the installation of the app, so that it is opened once.
 *
 * Store [text] after every change, outside of everything that signing out clears.
 */
class ArrivalRecord {
    /** The time of the installation that the record is about, in seconds since 1970, or 0 for none. */
    var installedAt: Long = 0
        private set

    /** Whether nothing more is to be read for that installation. */
    var isSettled: Boolean = false
        private set

    /** The time of the last click that was used, or 0 for none. A new installation does not open it again. */
    var clickedAt: Long = 0
        private set

    /** The link that was found, until it is handed over, or null. */
    var link: String? = null
        private set

    private var linkClickedAt: Long = 0

    /** Creates the record of an app that has none. */
    constructor()

    /** Reads a stored record. A text in another format gives an empty one. */
    constructor(text: String) {
        val parts = Regex("^(\\d{1,15}) ([01]) (\\d{1,15}) (\\d{1,15}) (.*)$", RegexOption.DOT_MATCHES_ALL)
            .find(text)?.groupValues ?: return
        installedAt = parts[1].toLong()
        isSettled = parts[2] == "1"
        clickedAt = parts[3].toLong()
        linkClickedAt = parts[4].toLong()
        link = parts[5].ifEmpty { null }
    }

    /** The record in the format that is stored. */
    val text: String get() = "$installedAt ${if (isSettled) 1 else 0} $clickedAt $linkClickedAt ${link ?: ""}"

    /**
     * Notes a start of the app, and returns whether the referrer must be read. [updatedAt] is the time of the last
     * update, or of the installation.
     *
     * A record that a backup brought from another installation counts for nothing but its last click. An update of an
     * app without a record isn't an installation.
     */
    fun start(installedAt: Long, updatedAt: Long): Boolean {
        if (installedAt != this.installedAt) {
            this.installedAt = installedAt
            isSettled = updatedAt > installedAt
            link = null
            linkClickedAt = 0
        }
        return !isSettled
    }

    /**
     * Records the result of a reading, and returns the link to open, or null. Do not call it if the reading failed:
     * the next start tries again.
     */
    fun receive(finding: ArrivalFinding, clickedAt: Long = 0): String? {
        if (isSettled) return null
        if (finding !is ArrivalFinding.Link || (clickedAt != 0L && clickedAt == this.clickedAt)) {
            settle()
            return null
        }
        link = finding.link
        linkClickedAt = clickedAt
        return finding.link
    }

    /** Records that the link was handed over: resolved and shown, or refused at a gate and kept by the app. */
    fun handedOver() = settle()

    /** Notes that a link opened the app itself, which counts more than one that led to the installation. */
    fun openedByLink() = settle()

    /** Records that the user signed out. A link that was found for them is not for another user. */
    fun signedOut() {
        if (link != null) settle()
    }

    private fun settle() {
        if (link != null && linkClickedAt > 0) clickedAt = linkClickedAt
        isSettled = true
        link = null
        linkClickedAt = 0
    }
}
