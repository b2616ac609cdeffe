// Waymark's runtime: what the app shows as the back stack of Navigation 3. The navigator stays the one that changes it.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

import androidx.compose.runtime.Composable
import androidx.navigation3.runtime.NavEntry
import androidx.navigation3.runtime.NavKey

/**
 * A key of the back stack: a destination, and those that it stands on, lowest first. Containers whose tab is shown are among
 * these, and have no key of their own.
 */
data class WaymarkKey<out Route : WaymarkRoute>(
    val destination: WaymarkDestination<Route>,
    val below: List<WaymarkDestination<Route>>,
) : NavKey {
    /** The route, or null if this version of the app doesn't know it. */
    val route: Route? get() = destination.known

    /** A text that no other screen has, also in another tab, by which the state of the screen is kept. */
    val contentKey: String get() = WaymarkJson.write((below + destination).map { it.toJson() })
}

/** The name under which the metadata of an entry have its presentation, as the catalog writes it. */
const val WAYMARK_PRESENTATION = "waymark.presentation"

/** Returns the back stack of a plan, as far as this version of the app knows its routes. */
fun <Route : WaymarkRoute> backStack(plan: RoutePlan<Route>): List<WaymarkKey<Route>> =
    backStack(NavigationState.of(plan.recognizedPrefix))

/** Returns the back stack of what is shown: a key for each screen from the root to the top. It is never empty, if anything is shown. */
fun <Route : WaymarkRoute> backStack(state: NavigationState<Route>): List<WaymarkKey<Route>> = keys(state, isEvery = false)

/** Returns the keys of what is shown, and of the screens in the other tabs: those for which state is to be kept. */
fun <Route : WaymarkRoute> everyKey(state: NavigationState<Route>): List<WaymarkKey<Route>> = keys(state, isEvery = true)

private fun <Route : WaymarkRoute> keys(state: NavigationState<Route>, isEvery: Boolean): List<WaymarkKey<Route>> {
    val keys = mutableListOf<WaymarkKey<Route>>()
    fun add(branch: NavigationBranch<Route>, start: List<WaymarkDestination<Route>>): List<WaymarkDestination<Route>> {
        var below = start
        for (node in branch) {
            if (node.selected == null) keys.add(WaymarkKey(node.destination, below))
            below = below + node.destination
            if (isEvery) node.tabs.forEachIndexed { index, tab -> if (index != node.selected) add(tab, below) }
            node.selected?.let { below = add(node.tabs[it], below) }
        }
        return below
    }
    state.layers.fold(emptyList<WaymarkDestination<Route>>()) { below, layer -> add(layer, below) }
    return keys
}

/** Makes the entry of a key. [metadata] is for the scenes, such as that of a dialog. */
fun <Route : WaymarkRoute> WaymarkKey<Route>.entry(
    metadata: Map<String, Any> = emptyMap(),
    content: @Composable () -> Unit,
): NavEntry<WaymarkKey<Route>> =
    NavEntry(this, contentKey, mapOf<String, Any>(WAYMARK_PRESENTATION to destination.presentation.name) + metadata) { content() }
