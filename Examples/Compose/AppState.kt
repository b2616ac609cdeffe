package app

import android.content.SharedPreferences
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.setValue
import waymark.*

/** The stack that the app begins with. */
val first = listOf<WaymarkDestination<AppRoute>>(
    WaymarkDestination(AppRoute.TabBar, WaymarkPresentation.Root), WaymarkDestination(AppRoute.Characters, WaymarkPresentation.Tab),
)

/**
 * The navigator of the app, for Compose to observe.
 *
 * `saved` is a state that was saved; `stored` the text that `store` was called with last, over launches.
 */
class AppState(
    client: WaymarkClient<AppRoute>,
    saved: String?,
    stored: String?,
    store: (String?) -> Unit,
    pause: suspend (Long) -> Unit,
    arrivals: Arrivals,
) {
    val navigator: WaymarkNavigator<AppRoute> = WaymarkNavigator(
        AppRoute, client, first, state = restored(saved), stored = recent(stored), store = store, pause = pause,
        arrivals = arrivals.record,
        onChange = {
            arrivals.keep()
            shown = it.state
            problem = it.problem
        },
    )

    var shown: NavigationState<AppRoute> by mutableStateOf(navigator.state)
        private set

    var problem: WaymarkProblem? by mutableStateOf(navigator.problem)
        private set

    /** The link that waits since the last start, unless that was too long ago to be what the user wants now. */
    private fun recent(stored: String?): String? {
        val openedAt = PendingLink.read(AppRoute, stored)?.openedAt ?: return stored
        return stored.takeIf { System.currentTimeMillis() - openedAt < 86_400_000 }
    }

    private fun restored(saved: String?): NavigationState<AppRoute> = try {
        if (saved == null) NavigationState.of(first) else NavigationState.read(AppRoute, WaymarkJson.read(saved))
    } catch (_: WaymarkFormatException) {
        NavigationState.of(first)
    }
}

/** The session of the app's user, by the app's own means; here it is kept on the device, and its backend is left out. */
class Session(private val settings: SharedPreferences) {
    /** The user who is signed in. */
    var user: String?
        get() = settings.getString("user", null)
        private set(value) = settings.edit().putString("user", value).apply()

    /** The level that the app assumes where no server answers in time. */
    val level: String?
        get() = if (user == null) null else "signedInUser"

    /** Returns the JSON Web Token of the app's identity provider; null for nobody. */
    fun token(): String? = null

    /** The levels that the app asserts, signed in or not: `from: app` in the catalog. */
    val holds: List<String>
        get() = if (settings.getString("introduced", null) == null) emptyList() else listOf("onboardingCompleted")

    /** Notes that the introduction was seen on this device; signing out leaves that. */
    fun introduce() = settings.edit().putString("introduced", "yes").apply()

    /** Signs the user in. */
    fun signIn() {
        user = "ada"
    }

    /** Buys the premium level, which arrives some time later. */
    fun buy() = Unit

    fun signOut() {
        user = null
    }
}
