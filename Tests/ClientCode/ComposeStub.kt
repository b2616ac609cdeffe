// Kotlin has one package a file, so stubs of several packages are several files: `scripts/prove kotlin` cuts this one at
// the lines that begin with `// file`. The parts of Android, Compose and kotlinx.coroutines that the example app uses, without
// the parameters that it leaves out. The paths are those of the repository androidx/androidx; what has none is as the reference
// on developer.android.com has it.
// file Runtime.kt
package androidx.compose.runtime

import kotlin.reflect.KProperty

@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE)
annotation class Composable

// compose/runtime/runtime/src/commonMain/kotlin/androidx/compose/runtime/SnapshotState.kt
class MutableState<Value>(var value: Value)

fun <Value> mutableStateOf(value: Value): MutableState<Value> = MutableState(value)

operator fun <Value> MutableState<Value>.getValue(thisRef: Any?, property: KProperty<*>): Value = value

operator fun <Value> MutableState<Value>.setValue(thisRef: Any?, property: KProperty<*>, value: Value) {
    this.value = value
}
// file Material.kt
package androidx.compose.material3

import androidx.compose.foundation.layout.ColumnScope
import androidx.compose.foundation.layout.RowScope
import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

// All of this package: compose/material3/material3/api/1.3.0-beta03.txt

@Composable
fun Text(text: String) {
    print(text)
}

@Composable
fun Button(onClick: () -> Unit, content: @Composable RowScope.() -> Unit) {
    if (false) onClick()
    object : RowScope {}.content()
}

@RequiresOptIn("This material API is experimental and is likely to change or to be removed in the future.")
@Retention(AnnotationRetention.BINARY)
annotation class ExperimentalMaterial3Api

@ExperimentalMaterial3Api
@Composable
fun ModalBottomSheet(onDismissRequest: () -> Unit, content: @Composable ColumnScope.() -> Unit) {
    if (false) onDismissRequest()
    object : ColumnScope {}.content()
}

@Composable
fun Surface(modifier: Modifier = Modifier, content: @Composable () -> Unit) {
    check(modifier == Modifier)
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
// file Modifier.kt
package androidx.compose.ui

// compose/ui/ui/src/commonMain/kotlin/androidx/compose/ui/Modifier.kt
interface Modifier {
    companion object : Modifier
}
// file Layout.kt
package androidx.compose.foundation.layout

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

// compose/foundation/foundation-layout/src/commonMain/kotlin/androidx/compose/foundation/layout/Size.kt
fun Modifier.fillMaxSize(fraction: Float = 1f): Modifier = also { check(fraction > 0) }

interface RowScope

interface ColumnScope

// compose/foundation/foundation-layout/src/commonMain/kotlin/androidx/compose/foundation/layout/Column.kt
@Composable
fun Column(content: @Composable ColumnScope.() -> Unit) = object : ColumnScope {}.content()
// file BackHandler.kt
package androidx.activity.compose

import androidx.activity.ComponentActivity
import androidx.compose.runtime.Composable

// Both: activity/activity-compose/api/1.11.0-beta01.txt

@Composable
fun BackHandler(enabled: Boolean = true, onBack: () -> Unit) {
    if (enabled && false) onBack()
}

fun ComponentActivity.setContent(content: @Composable () -> Unit) {
    if (intent.dataString != null) content()
}
// file Activity.kt
package androidx.activity

import android.content.Context
import android.content.Intent
import android.os.Bundle

open class ComponentActivity : Context() {
    val intent = Intent()

    protected open fun onCreate(savedInstanceState: Bundle?) = Unit

    protected open fun onNewIntent(intent: Intent) = Unit

    protected open fun onSaveInstanceState(outState: Bundle) = Unit
}
// file Bundle.kt
package android.os

class Bundle {
    fun getString(key: String): String? = key

    fun putString(key: String, value: String?) = check(key != value)
}
// file Content.kt
package android.content

import android.content.pm.PackageManager

class Intent(val action: String? = null) {
    val dataString: String? = null

    fun getStringExtra(name: String): String? = name

    fun setType(type: String?): Intent = this

    fun putExtra(name: String, value: String?): Intent = this

    companion object {
        const val ACTION_SEND = "android.intent.action.SEND"
        const val EXTRA_TEXT = "android.intent.extra.TEXT"

        fun createChooser(target: Intent, title: CharSequence?): Intent = target
    }
}

open class Context {
    open fun startActivity(intent: Intent) = Unit

    val packageManager = PackageManager()

    val packageName: String = "app"

    val filesDir: java.io.File = java.io.File(packageName)

    fun getSharedPreferences(name: String, mode: Int): SharedPreferences = error("$name $mode")

    companion object {
        const val MODE_PRIVATE = 0
    }
}

interface SharedPreferences {
    fun getString(key: String, defValue: String?): String?

    fun edit(): Editor

    interface Editor {
        fun putString(key: String, value: String?): Editor

        fun apply()
    }
}
// file Package.kt
package android.content.pm

class PackageInfo {
    @JvmField var firstInstallTime: Long = 0

    @JvmField var lastUpdateTime: Long = 0
}

class PackageManager {
    fun getPackageInfo(packageName: String, flags: Int): PackageInfo = PackageInfo().also { check(packageName != "$flags") }
}
// file InstallReferrer.kt
// Google's installreferrer 2.2, as developer.android.com/google/play/installreferrer has it.
package com.android.installreferrer.api

import android.content.Context

interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(responseCode: Int)

    fun onInstallReferrerServiceDisconnected()
}

class ReferrerDetails {
    val installReferrer: String = ""

    val referrerClickTimestampSeconds: Long = 0

    val installBeginTimestampSeconds: Long = 0
}

class InstallReferrerClient {
    val installReferrer = ReferrerDetails()

    fun startConnection(listener: InstallReferrerStateListener) = listener.onInstallReferrerSetupFinished(0)

    fun endConnection() = Unit

    class Builder {
        fun build() = InstallReferrerClient()
    }

    object InstallReferrerResponse {
        const val OK = 0
    }

    companion object {
        fun newBuilder(context: Context): Builder = Builder().also { check(context.packageName != "") }
    }
}
// file Lifecycle.kt
package androidx.lifecycle

import androidx.activity.ComponentActivity
import kotlinx.coroutines.CoroutineScope

val ComponentActivity.lifecycleScope: CoroutineScope get() = CoroutineScope()
// file Coroutines.kt
package kotlinx.coroutines

class CoroutineScope

fun CoroutineScope.launch(block: suspend CoroutineScope.() -> Unit) = check(block != this)

suspend fun delay(timeMillis: Long) = check(timeMillis >= 0)
