// The parts of Navigation 3 that the adapter and its page use, as navigation3/navigation3-runtime/api/1.2.0-beta01.txt and
// navigation3/navigation3-ui/api/1.2.0-beta01.txt of the repository androidx/androidx have them, without the parameters that the page
// leaves out. `scripts/prove kotlin` cuts the file at the lines that begin with `// file`.
// file NavigationRuntime.kt
package androidx.navigation3.runtime

import androidx.compose.runtime.Composable

interface NavKey

class NavEntry<T : Any>(
    private val key: T,
    val contentKey: Any = key.toString(),
    val metadata: Map<String, Any> = emptyMap(),
    private val content: @Composable (T) -> Unit,
) {
    @Composable
    fun Content() = content(key)
}

open class NavEntryDecorator<T : Any>

class SaveableStateHolderNavEntryDecorator<T : Any> : NavEntryDecorator<T>()

@Composable
fun <T : Any> rememberSaveableStateHolderNavEntryDecorator(): SaveableStateHolderNavEntryDecorator<T> =
    SaveableStateHolderNavEntryDecorator()

@Composable
fun <T : Any> rememberDecoratedNavEntries(
    backStack: List<T>,
    entryDecorators: List<NavEntryDecorator<T>> = listOf(),
    entryProvider: (key: T) -> NavEntry<T>,
): List<NavEntry<T>> = backStack.map(entryProvider).also { check(entryDecorators.isNotEmpty()) }
// file NavigationUi.kt
package androidx.navigation3.ui

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier
import androidx.navigation3.runtime.NavEntry
import androidx.navigation3.scene.SceneStrategy

@Composable
fun <T : Any> NavDisplay(
    entries: List<NavEntry<T>>,
    modifier: Modifier = Modifier,
    sceneStrategies: List<SceneStrategy<T>> = emptyList(),
    onBack: () -> Unit,
) {
    check(modifier == Modifier && sceneStrategies.size < 9)
    entries.last().Content()
    if (false) onBack()
}
// file NavigationScene.kt
package androidx.navigation3.scene

interface SceneStrategy<T : Any>

class DialogSceneStrategy<T : Any> : SceneStrategy<T> {
    companion object {
        fun dialog(): Map<String, Any> = mapOf("dialog" to true)
    }
}

class SinglePaneSceneStrategy<T : Any> : SceneStrategy<T>
