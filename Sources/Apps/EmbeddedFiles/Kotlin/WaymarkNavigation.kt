// Waymark's runtime: the screens of an app as a tree, and its changes by links, by the app's own buttons and by the system.
@file:Suppress("RedundantVisibilityModifier", "unused")

package waymark

/** One destination, with the tabs that were shown over it. */
data class NavigationNode<out Route : WaymarkRoute>(
    val destination: WaymarkDestination<Route>,
    /** The tabs, each with a stack of its own, in the order in which they were first selected. */
    val tabs: List<NavigationBranch<Route>> = emptyList(),
    /** The index of the selected tab, or null if none is selected, and for every node except the top one of its branch. */
    val selected: Int? = null,
)

/** A stack of screens: its opener, and the screens pushed onto it. It is never empty. */
typealias NavigationBranch<Route> = List<NavigationNode<Route>>

/** One change of the screen. Indexes count in the flat path. */
sealed interface NavigationStep<out Route : WaymarkRoute> {
    /** Replaces everything with this destination. */
    data class SetRoot<out Route : WaymarkRoute>(val destination: WaymarkDestination<Route>) : NavigationStep<Route>

    /** Selects this tab at an index, in place of the current one. A tab that was shown before has its stack again. */
    data class SelectTab<out Route : WaymarkRoute>(val at: Int, val destination: WaymarkDestination<Route>) :
        NavigationStep<Route>

    /** Shows these pushes over the opener at an index. */
    data class SetPath<out Route : WaymarkRoute>(val at: Int, val pushes: List<WaymarkDestination<Route>>) :
        NavigationStep<Route>

    /** Presents this destination over everything, in a layer of its own. */
    data class Present<out Route : WaymarkRoute>(val destination: WaymarkDestination<Route>) : NavigationStep<Route>

    /** Dismisses the screens from an index on. A dismissed tab keeps its stack, and is no longer selected. */
    data class DismissLayer(val at: Int) : NavigationStep<Nothing>
}

/** The error of a stack that isn't the one at which the transition begins: the user navigated in the meantime. */
class TransitionMismatch(val expectedCount: Int, val actualCount: Int) :
    Exception("the transition begins with $expectedCount destinations, and there are $actualCount")

/**
 * What an app shows: layers over each other, each a stack of screens, of which the top one may have tabs with stacks of
 * their own.
 *
 * It is immutable, so that any state holder can store it. Links, the app's own buttons and the gestures of the system
 * change it by the same operations. [layers] are lowest first.
 */
data class NavigationState<Route : WaymarkRoute>(val layers: List<NavigationBranch<Route>>) {
    /** The flat path: the screens from the root to the top, which are the `from` of the next link. */
    val stack: List<WaymarkDestination<Route>> get() = layers.flatMap(::path)

    /** The new state, and the changes of the screen in order. */
    data class Change<Route : WaymarkRoute>(val state: NavigationState<Route>, val steps: List<NavigationStep<Route>>)

    // The app's own operations

    /** Pushes a destination onto the top one. */
    fun push(destination: WaymarkDestination<Route>): NavigationState<Route> =
        present(destination.copy(presentation = WaymarkPresentation.Push))

    /** Presents a destination as it says: over everything in a layer of its own, as a push, a tab, or a new root. */
    fun present(destination: WaymarkDestination<Route>): NavigationState<Route> = when (destination.presentation) {
        WaymarkPresentation.Root -> of(listOf(destination))
        WaymarkPresentation.Tab -> select(destination)
        else -> NavigationState(adding(layers, destination))
    }

    /**
     * Selects a tab, which has its stack again if it was shown before.
     *
     * [at] is the index of the tabs in the flat path, one above the index of the destination that has them. Without it they
     * are the innermost tabs that have one of this route, else the innermost, else new ones over the top destination.
     */
    fun select(tab: WaymarkDestination<Route>, at: Int = indexOfTabs(tab)): NavigationState<Route> =
        selecting(tab.copy(presentation = WaymarkPresentation.Tab), at, isUsersChoice = true)

    /**
     * Dismisses the top destination, or with a [count] all but the first ones of the flat path.
     *
     * Without a count a tab goes together with the destination that has the tabs, and the lowest destination stays.
     */
    fun dismiss(count: Int = countBelowTop()): NavigationState<Route> =
        if (count < 0 || count >= stack.size) this else NavigationState(cutLayers(layers, count))

    // Links

    /**
     * Applies a plan, and returns the new state with the changes of the screen in order.
     *
     * Throws [TransitionMismatch] if the stack isn't the one that was sent. Then resolve the link again with the
     * current stack, or show the plan's stack.
     */
    fun apply(plan: RoutePlan<Route>): Change<Route> = changed(steps(plan))

    /** Applies a transition. Throws [TransitionMismatch]. */
    fun apply(transition: WaymarkTransition<Route>): Change<Route> = changed(steps(transition))

    private fun changed(steps: List<NavigationStep<Route>>): Change<Route> =
        Change(steps.fold(this) { state, step -> state.perform(step) }, steps)

    /** Returns the changes of the screen for a plan. */
    fun steps(plan: RoutePlan<Route>): List<NavigationStep<Route>> {
        val transition = plan.transition ?: return stepsTo(plan.stack)
        val steps = steps(transition)
        val isSame = stack.take(transition.keep).zip(plan.stack)
            .all { (one, two) -> one.name == two.name && one.presentation == two.presentation }
        if (!isSame || transition.keep + transition.present.size != plan.stack.size) {
            throw TransitionMismatch(transition.keep + transition.dismiss, stack.size)
        }
        return steps
    }

    /** Returns the changes of the screen for a transition. */
    fun steps(transition: WaymarkTransition<Route>): List<NavigationStep<Route>> {
        val (keep, dismiss) = transition
        if (keep < 0 || dismiss < 0 || keep + dismiss != stack.size) {
            throw TransitionMismatch(keep + dismiss, stack.size)
        }
        return stepsTo(stack.take(keep) + transition.present)
    }

    /** Shows a stack. The part in common with the current one stays, and so do the stacks of all other tabs. */
    fun showing(stack: List<WaymarkDestination<Route>>): NavigationState<Route> = changed(stepsTo(stack)).state

    /** Returns the changes of the screen to a stack. The common destinations from the root onwards stay. */
    fun stepsTo(target: List<WaymarkDestination<Route>>): List<NavigationStep<Route>> {
        val steps = mutableListOf<NavigationStep<Route>>()
        var state = this
        while (true) {
            val step = state.nextStep(target) ?: return steps
            steps.add(step)
            state = state.perform(step)
        }
    }

    /** Applies one change. A change that doesn't fit the stack is ignored. */
    fun perform(step: NavigationStep<Route>): NavigationState<Route> = when (step) {
        is NavigationStep.SetRoot -> of(listOf(step.destination))
        is NavigationStep.SelectTab -> selecting(step.destination, step.at, isUsersChoice = false)
        is NavigationStep.SetPath -> setting(step.pushes, step.at)
        is NavigationStep.Present -> NavigationState(layers + listOf(listOf(NavigationNode(step.destination))))
        is NavigationStep.DismissLayer -> dismiss(step.at)
    }

    /** Sets the pushes over the opener at an index of the flat path, as the system's stacks of screens report them. */
    fun setting(pushes: List<WaymarkDestination<Route>>, at: Int): NavigationState<Route> {
        val stack = stack
        if (at < 0 || at >= stack.size) return this
        val common = pushes.zip(stack.drop(at + 1))
            .takeWhile { (one, two) -> isSame(one, two) && one.presentation == WaymarkPresentation.Push }.size
        return NavigationState(
            pushes.drop(common).fold(cutLayers(layers, at + 1 + common)) { layers, item ->
                inTopLayer(layers) { pushed(it, item) }
            },
        )
    }

    /** Returns the tabs at an index of the flat path: those over the destination below it. */
    fun tabs(at: Int): List<NavigationBranch<Route>> {
        var branch = cutLayers(layers, at).lastOrNull() ?: return emptyList()
        while (true) branch = selectedTab(branch) ?: return branch.last().tabs
    }

    private fun selecting(tab: WaymarkDestination<Route>, at: Int, isUsersChoice: Boolean): NavigationState<Route> {
        if (at < 0 || at > stack.size) return this
        val kept = cutLayers(layers, at)
        return NavigationState(
            if (kept.isEmpty()) listOf(listOf(NavigationNode(tab)))
            else inTopLayer(kept) { selecting(it, tab, isUsersChoice) },
        )
    }

    private fun indexOfTabs(tab: WaymarkDestination<Route>): Int {
        val stack = stack
        val indexes = stack.indices.filter { it > 0 && stack[it].presentation == WaymarkPresentation.Tab }.toMutableList()
        if (tabs(stack.size).isNotEmpty()) indexes.add(stack.size)
        return indexes.lastOrNull { at -> tabs(at).any { it.first().destination.name == tab.name } }
            ?: indexes.lastOrNull() ?: stack.size
    }

    private fun countBelowTop(): Int {
        val stack = stack
        var count = stack.size - 1
        while (count > 0 && stack[count].presentation == WaymarkPresentation.Tab) count -= 1
        return if (count <= 0) stack.size else count
    }

    private fun nextStep(target: List<WaymarkDestination<Route>>): NavigationStep<Route>? {
        val stack = stack
        val keep = commonCount(stack, target)
        // Layers over the kept part are dismissed first, from the top down. Tabs go with their parent layer.
        for (index in stack.indices.reversed()) {
            if (index < maxOf(keep, 1)) break
            if (beginsLayer(stack[index])) return NavigationStep.DismissLayer(index)
        }
        val shown = stack.getOrNull(keep)
        val next = target.getOrNull(keep)
        if (shown == null && next == null) return null
        if (next != null && keep == 0) return NavigationStep.SetRoot(next)
        if (keep > 0 && (shown ?: next)?.presentation == WaymarkPresentation.Push) {
            val opener = (keep - 1 downTo 0).firstOrNull { stack[it].presentation != WaymarkPresentation.Push } ?: 0
            val pushes = target.drop(keep).takeWhile { it.presentation == WaymarkPresentation.Push }
            return NavigationStep.SetPath(opener, stack.subList(opener + 1, keep) + pushes)
        }
        if (next?.presentation == WaymarkPresentation.Tab) return NavigationStep.SelectTab(keep, next)
        return if (shown != null || next == null) NavigationStep.DismissLayer(keep) else NavigationStep.Present(next)
    }

    // Saving

    /** Returns the state in the format that is saved. */
    fun toJson(): Map<String, Any?> = mapOf("layers" to layers.map(::branchJson))

    companion object {
        /** Creates the state of a stack. */
        fun <Route : WaymarkRoute> of(stack: List<WaymarkDestination<Route>> = emptyList()): NavigationState<Route> =
            NavigationState(stack.fold(emptyList(), ::adding))

        /** Reads a state that was saved, by an older version of the app as well. Throws [WaymarkFormatException]. */
        fun <Route : WaymarkRoute> read(table: RouteTable<Route>, json: Any?): NavigationState<Route> =
            NavigationState(items((json as? Map<*, *>)?.get("layers")).map { readBranch(table, it) })
    }
}

/** Returns whether two destinations have the same route, presentation and parameters. */
internal fun isSame(one: WaymarkDestination<*>, two: WaymarkDestination<*>): Boolean =
    one.name == two.name && one.presentation == two.presentation && one.parameters == two.parameters

/** Counts the destinations that two stacks have in common, from the root onwards. */
internal fun commonCount(one: List<WaymarkDestination<*>>, two: List<WaymarkDestination<*>>): Int =
    one.zip(two).takeWhile { (left, right) -> isSame(left, right) }.size

private fun beginsLayer(destination: WaymarkDestination<*>): Boolean =
    destination.presentation != WaymarkPresentation.Push && destination.presentation != WaymarkPresentation.Tab

// Branches

private fun <Route : WaymarkRoute> selectedTab(branch: NavigationBranch<Route>): NavigationBranch<Route>? =
    branch.last().let { top -> top.selected?.let { top.tabs[it] } }

private fun <Route : WaymarkRoute> inSelectedTab(
    branch: NavigationBranch<Route>,
    change: (NavigationBranch<Route>) -> NavigationBranch<Route>,
): NavigationBranch<Route> {
    val top = branch.last()
    return branch.dropLast(1) +
        top.copy(tabs = top.tabs.mapIndexed { index, tab -> if (index == top.selected) change(tab) else tab })
}

private fun <Route : WaymarkRoute> path(branch: NavigationBranch<Route>): List<WaymarkDestination<Route>> =
    branch.map { it.destination } + selectedTab(branch)?.let { path(it) }.orEmpty()

/** Returns the branch up to a number of destinations of its path, at least one. */
private fun <Route : WaymarkRoute> cut(branch: NavigationBranch<Route>, count: Int): NavigationBranch<Route> =
    if (count > branch.size) inSelectedTab(branch) { cut(it, count - branch.size) }
    else branch.take(count - 1) + branch[count - 1].copy(selected = null)

/** Returns the branch with one more destination on top of its path. */
private fun <Route : WaymarkRoute> pushed(
    branch: NavigationBranch<Route>,
    destination: WaymarkDestination<Route>,
): NavigationBranch<Route> =
    if (selectedTab(branch) == null) branch + NavigationNode(destination)
    else inSelectedTab(branch) { pushed(it, destination) }

/**
 * Returns the branch with a tab selected over the top of its path.
 *
 * An equal tab has its stack again. One of the same route with other parameters is replaced, or, if the user selects
 * it, taken as it is.
 */
private fun <Route : WaymarkRoute> selecting(
    branch: NavigationBranch<Route>,
    destination: WaymarkDestination<Route>,
    isUsersChoice: Boolean,
): NavigationBranch<Route> {
    if (selectedTab(branch) != null) return inSelectedTab(branch) { selecting(it, destination, isUsersChoice) }
    val top = branch.last()
    val equal = top.tabs.indexOfFirst { isSame(it.first().destination, destination) }
    val alike = top.tabs.indexOfFirst { it.first().destination.name == destination.name }
    val fresh = listOf(NavigationNode(destination))
    return branch.dropLast(1) + when {
        equal >= 0 -> top.copy(selected = equal)
        alike >= 0 && isUsersChoice -> top.copy(selected = alike)
        alike >= 0 ->
            top.copy(tabs = top.tabs.mapIndexed { index, tab -> if (index == alike) fresh else tab }, selected = alike)
        else -> top.copy(tabs = top.tabs + listOf(fresh), selected = top.tabs.size)
    }
}

// Layers

private fun <Route : WaymarkRoute> inTopLayer(
    layers: List<NavigationBranch<Route>>,
    change: (NavigationBranch<Route>) -> NavigationBranch<Route>,
): List<NavigationBranch<Route>> = layers.dropLast(1) + listOf(change(layers.last()))

/** Returns the layers up to a number of destinations of the flat path. */
private fun <Route : WaymarkRoute> cutLayers(
    layers: List<NavigationBranch<Route>>,
    count: Int,
): List<NavigationBranch<Route>> {
    val kept = mutableListOf<NavigationBranch<Route>>()
    var left = count
    for (layer in layers) {
        if (left <= 0) break
        val size = path(layer).size
        kept.add(if (left < size) cut(layer, left) else layer)
        left -= size
    }
    return kept
}

/** Returns the layers with one more destination over the top one. */
private fun <Route : WaymarkRoute> adding(
    layers: List<NavigationBranch<Route>>,
    destination: WaymarkDestination<Route>,
): List<NavigationBranch<Route>> = when {
    layers.isEmpty() || beginsLayer(destination) -> layers + listOf(listOf(NavigationNode(destination)))
    destination.presentation == WaymarkPresentation.Push -> inTopLayer(layers) { pushed(it, destination) }
    else -> inTopLayer(layers) { selecting(it, destination, isUsersChoice = false) }
}

// Saving

private fun branchJson(branch: NavigationBranch<*>): List<Any?> = branch.map { node ->
    val json = node.destination.toJson().toMutableMap()
    if (node.tabs.isNotEmpty()) json["tabs"] = node.tabs.map(::branchJson)
    if (node.selected != null) json["selected"] = node.selected
    json
}

private fun items(json: Any?): List<*> =
    json as? List<*> ?: throw WaymarkFormatException("a saved state has no list where one belongs")

private fun <Route : WaymarkRoute> readBranch(table: RouteTable<Route>, json: Any?): NavigationBranch<Route> {
    val items = items(json)
    if (items.isEmpty()) throw WaymarkFormatException("a saved state has an empty stack")
    return items.mapIndexed { index, item ->
        val members = item as? Map<*, *>
        val tabs = members?.get("tabs")?.let { items(it) }.orEmpty().map { readBranch(table, it) }
        val selected = members?.get("selected")?.let { Parameters.long(it)?.toInt() ?: -1 }
        if (selected != null && (selected !in tabs.indices || index + 1 < items.size)) {
            throw WaymarkFormatException("a saved state selects a tab that is not there")
        }
        NavigationNode(WaymarkDestination.read(table, item), tabs, selected)
    }
}
