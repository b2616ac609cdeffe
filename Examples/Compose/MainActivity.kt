package app

import android.content.Intent
import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.lifecycle.lifecycleScope
import java.io.File
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import waymark.*

/** The server of the app's links. */
const val LINKS = "https://links.example.com"

/** The key of the catalogs that the app trusts, as `waymark catalog bundle` prints it. */
const val KEY = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"

class MainActivity : ComponentActivity() {
    private lateinit var session: Session
    private lateinit var app: AppState
    private lateinit var arrivals: Arrivals

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val settings = getSharedPreferences("app", MODE_PRIVATE)
        session = Session(settings)
        arrivals = Arrivals(this, settings)
        val engine = WaymarkEngine(listOf(KEY), File(filesDir, "catalog.bundle"))
        lifecycleScope.launch { engine.refresh(LINKS) }
        app = AppState(
            WaymarkClient(
                AppRoute, LINKS, WaymarkEngineTransport(engine, WaymarkHttp()) { session.level }, user = { session.user },
                app = "android/1.0", token = { session.token() }, holds = { session.holds },
            ),
            saved = savedInstanceState?.getString("state"),
            stored = settings.getString("link", null),
            store = { settings.edit().putString("link", it).apply() },
            pause = { delay(it) },
            arrivals = arrivals,
        )
        setContent { CharactersApp(app, session, ::share) { work -> lifecycleScope.launch { work() } } }
        // The link that started the app; a restart by the system has it again, and has the state too.
        if (savedInstanceState == null && open(intent)) return
        if (app.navigator.pending?.reason == PendingLink.Reason.Unanswered) {
            // A link that got no answer at the last start.
            lifecycleScope.launch { app.navigator.resume() }
        } else if (savedInstanceState == null) {
            arrivals.read { link ->
                lifecycleScope.launch {
                    app.navigator.open(link, arrival = "referrer")
                    // Without an answer it is the navigator that keeps it.
                    arrivals.handedOver()
                }
            }
        }
    }

    private fun share(link: String) {
        val intent = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, link)
        startActivity(Intent.createChooser(intent, null))
    }

    /** A link, or a notification, while the app runs: its activity is `singleTask`. */
    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        open(intent)
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putString("state", WaymarkJson.write(app.navigator.state.toJson()))
    }

    /** Opens the link of the system, or that of a notification's tap; returns whether there is one. */
    private fun open(intent: Intent): Boolean {
        val link = intent.dataString ?: intent.getStringExtra("link") ?: return false
        arrivals.openedByLink()
        lifecycleScope.launch { app.navigator.open(link) }
        return true
    }
}
