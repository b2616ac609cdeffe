// Kotlin has one package a file, so stubs of several packages are several files: `scripts/prove kotlin` cuts this one at
// the lines that begin with `// file`. The parts of Compose that the sample app uses, as its documentation has them.
// file Runtime.kt
package androidx.compose.runtime

import kotlin.reflect.KProperty

@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE)
annotation class Composable

class MutableState<Value>(var value: Value)

fun <Value> mutableStateOf(value: Value): MutableState<Value> = MutableState(value)

operator fun <Value> MutableState<Value>.getValue(thisRef: Any?, property: KProperty<*>): Value = value

operator fun <Value> MutableState<Value>.setValue(thisRef: Any?, property: KProperty<*>, value: Value) {
    this.value = value
}
// file Material.kt
package androidx.compose.material3

import androidx.compose.foundation.layout.RowScope
import androidx.compose.runtime.Composable

@Composable
fun Text(text: String) {
    print(text)
}

@Composable
fun Button(onClick: () -> Unit, content: @Composable () -> Unit) {
    if (false) onClick()
    content()
}

@RequiresOptIn("This material API is experimental and is likely to change or to be removed in the future.")
@Retention(AnnotationRetention.BINARY)
annotation class ExperimentalMaterial3Api

@ExperimentalMaterial3Api
@Composable
fun ModalBottomSheet(onDismissRequest: () -> Unit, content: @Composable () -> Unit) {
    if (false) onDismissRequest()
    content()
}

@Composable
fun NavigationBar(content: @Composable RowScope.() -> Unit) = object : RowScope {}.content()

@Composable
fun RowScope.NavigationBarItem(
    selected: Boolean,
    onClick: () -> Unit,
    icon: @Composable () -> Unit,
    label: @Composable (() -> Unit)? = null,
) {
    if (!selected && false) onClick()
    icon()
    label?.invoke()
}
// file Layout.kt
package androidx.compose.foundation.layout

import androidx.compose.runtime.Composable

interface RowScope

@Composable
fun Column(content: @Composable () -> Unit) = content()
// file Activity.kt
package androidx.activity.compose

import androidx.compose.runtime.Composable

@Composable
fun BackHandler(enabled: Boolean, onBack: () -> Unit) {
    if (enabled && false) onBack()
}
