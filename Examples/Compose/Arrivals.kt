package app

import android.content.Context
import android.content.SharedPreferences
import com.android.installreferrer.api.InstallReferrerClient
import com.android.installreferrer.api.InstallReferrerStateListener
import com.android.installreferrer.api.ReferrerDetails
import waymark.*

/** The link that led to the installation of the app, which Google Play hands over at the first start. */
class Arrivals(private val context: Context, private val settings: SharedPreferences) {
    val record = ArrivalRecord(settings.getString("arrival", null) ?: "")
    private val reader = ArrivalReader(listOf("app.example"))

    /**
     * Reads Play's referrer if it is due, and calls back with the link in it.
     *
     * A reading that fails is tried again at the next start, and so is a link if the app ended before it was opened.
     */
    fun read(found: (link: String) -> Unit) {
        val app = context.packageManager.getPackageInfo(context.packageName, 0)
        val isDue = record.start(installedAt = app.firstInstallTime / 1000, updatedAt = app.lastUpdateTime / 1000)
        keep()
        if (!isDue) return
        record.link?.let { return found(it) }
        val client = InstallReferrerClient.newBuilder(context).build()
        client.startConnection(object : InstallReferrerStateListener {
            override fun onInstallReferrerSetupFinished(responseCode: Int) {
                if (responseCode == InstallReferrerClient.InstallReferrerResponse.OK) {
                    receive(client.installReferrer)?.let(found)
                }
                client.endConnection()
            }

            override fun onInstallReferrerServiceDisconnected() = Unit
        })
    }

    private fun receive(referrer: ReferrerDetails): String? {
        val clickedAt = referrer.referrerClickTimestampSeconds
        val finding = reader.findInReferrer(
            referrer.installReferrer, clickedAt, referrer.installBeginTimestampSeconds, System.currentTimeMillis() / 1000,
        )
        return record.receive(finding, clickedAt).also { keep() }
    }

    /** Notes that the link was shown, or refused at a gate: the navigator keeps it then. */
    fun handedOver() {
        record.handedOver()
        keep()
    }

    /** Notes that a link opened the app itself, which counts more than one that led to the installation. */
    fun openedByLink() {
        record.openedByLink()
        keep()
    }

    /** Stores the record, apart from all that signing out clears. */
    fun keep() = settings.edit().putString("arrival", record.text).apply()
}
