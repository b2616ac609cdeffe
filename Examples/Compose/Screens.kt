package app

import androidx.activity.compose.BackHandler
import androidx.compose.foundation.layout.Column
import androidx.compose.foundation.layout.fillMaxSize
import androidx.compose.material3.Button
import androidx.compose.material3.ExperimentalMaterial3Api
import androidx.compose.material3.ModalBottomSheet
import androidx.compose.material3.NavigationBar
import androidx.compose.material3.NavigationBarItem
import androidx.compose.material3.Surface
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier
import waymark.*

/** Starts work that suspends: requests to the server. */
typealias Launch = (suspend () -> Unit) -> Unit

@Composable
fun CharactersApp(app: AppState, session: Session, share: (link: String) -> Unit, launch: Launch) {
    val navigator = app.navigator
    BackHandler(enabled = app.shown.dismiss() != app.shown) { navigator.dismiss() }
    app.shown.layers.forEachIndexed { index, layer ->
        val below = app.shown.layers.take(index).let { NavigationState(it).stack }
        val content = @Composable { Branch(layer, below, navigator, session, launch) }
        if (index == 0) content() else Over(layer, { navigator.dismiss(below.size) }, content)
    }
    Button(onClick = { launch { navigator.link()?.let(share) } }) { Text("Share") }
    Notice(app.problem, navigator, launch)
}

/** The problem of the last link, or the update that it requires. */
@Composable
fun Notice(problem: WaymarkProblem?, navigator: WaymarkNavigator<AppRoute>, launch: Launch) {
    val update = problem?.appUpdate
    when {
        problem == null -> return
        update != null -> Text("This link takes version ${update.requiredVersion}. ${update.storeLink.orEmpty()}")
        problem.status == 0 -> Text("There is no connection.")
        else -> Text(problem.detail)
    }
    if (navigator.pending?.reason == PendingLink.Reason.Unanswered) {
        Button(onClick = { launch { navigator.resume() } }) { Text("Try again") }
    }
}

/** A layer over another, which stays as it is: closing the upper one is a gesture of the user's. */
@OptIn(ExperimentalMaterial3Api::class)
@Composable
fun Over(layer: NavigationBranch<AppRoute>, close: () -> Unit, content: @Composable () -> Unit) {
    when (layer.first().destination.presentation) {
        WaymarkPresentation.Sheet, WaymarkPresentation.BottomSheet -> ModalBottomSheet(onDismissRequest = close) { content() }
        else -> Surface(Modifier.fillMaxSize()) {
            Column {
                Button(onClick = close) { Text("Close") }
                content()
            }
        }
    }
}

/** The top screen of a stack, or the selected tab over it with the bar. */
@Composable
fun Branch(
    branch: NavigationBranch<AppRoute>,
    below: List<WaymarkDestination<AppRoute>>,
    navigator: WaymarkNavigator<AppRoute>,
    session: Session,
    launch: Launch,
) {
    val top = branch.last()
    val under = below + branch.dropLast(1).map { it.destination }
    val tab = top.selected?.let { top.tabs[it] }
    if (tab == null) {
        Screen(top.destination, under, navigator, session, launch)
    } else Column {
        Branch(tab, under + top.destination, navigator, session, launch)
        if (top.destination.known == AppRoute.TabBar) TabBar(tab.first().destination, under.size + 1, navigator, launch)
    }
}

@Composable
fun TabBar(selected: WaymarkDestination<AppRoute>, at: Int, navigator: WaymarkNavigator<AppRoute>, launch: Launch) {
    NavigationBar {
        for (tab in listOf(AppRoute.Characters, AppRoute.Episodes, AppRoute.Favorites)) {
            NavigationBarItem(
                selected = selected.known == tab,
                onClick = {
                    val isOpen = navigator.state.tabs(at).any { it.first().destination.known == tab }
                    val destination = WaymarkDestination<AppRoute>(tab, WaymarkPresentation.Tab)
                    // The favorites are behind the login: the server says whether they open.
                    if (tab == AppRoute.Favorites && !isOpen) {
                        launch { navigator.open(navigator.state.stack.take(at) + destination) }
                    } else navigator.select(destination, at)
                },
                icon = {},
                label = { Text(tab.routeName) },
            )
        }
    }
}

/** The screen of each route, with its values; `below` are the destinations that it stands on. */
@Composable
fun Screen(
    destination: WaymarkDestination<AppRoute>,
    below: List<WaymarkDestination<AppRoute>>,
    navigator: WaymarkNavigator<AppRoute>,
    session: Session,
    launch: Launch,
) {
    /** Goes on to the link that waits, once the session has what it was for. */
    fun goOn(waiting: Long = 0, action: () -> Unit) = launch {
        action()
        navigator.resume(waiting)
    }
    /** Opens what may be behind a gate, over this screen: by its link, so that the server says whether it opens. */
    fun open(next: AppRoute, presentation: WaymarkPresentation) =
        launch { navigator.open(below + destination + WaymarkDestination(next, presentation)) }
    when (val route = destination.known) {
        null -> Text("Update the app to see ${destination.name}.")
        AppRoute.TabBar -> Text("Nothing is selected")
        AppRoute.Characters -> Column {
            for (id in 1L..3L) {
                Button(onClick = { navigator.push(AppRoute.Character(id)) }) { Text("Character $id") }
            }
            val settings = WaymarkDestination<AppRoute>(AppRoute.Settings, WaymarkPresentation.FullScreenCover)
            Button(onClick = { navigator.present(settings) }) { Text("Settings") }
        }
        is AppRoute.Character -> Column {
            Text("Character ${route.id}")
            (below.lastOrNull()?.known as? AppRoute.Episode)?.let { Text("In episode ${it.id}") }
            // It may be behind the paywall, which is presented over this screen then.
            val sheet = AppRoute.CharacterSheet(title = "About", characterId = route.id)
            Button(onClick = { open(sheet, WaymarkPresentation.Sheet) }) { Text("About") }
        }
        is AppRoute.CharacterSheet -> Text("${route.title ?: "About"} character ${route.characterId}")
        AppRoute.Episodes -> Button(onClick = { navigator.push(AppRoute.Episode(1)) }) { Text("Episode 1") }
        is AppRoute.Episode -> Text("Episode ${route.id}")
        AppRoute.Favorites -> Button(onClick = { navigator.push(AppRoute.Character(3)) }) { Text("Character 3") }
        AppRoute.Profile -> Text("Profile of ${session.user ?: "nobody"}")
        AppRoute.Onboarding, is AppRoute.Step -> Button(onClick = { goOn { session.introduce() } }) { Text("Go on") }
        AppRoute.Login, AppRoute.Registration -> Button(onClick = { goOn { session.signIn() } }) { Text("Sign in") }
        AppRoute.Paywall -> Button(onClick = { goOn(waiting = 30_000) { session.buy() } }) { Text("Buy") }
        AppRoute.Settings -> Column {
            Button(onClick = { open(AppRoute.Profile, WaymarkPresentation.Push) }) { Text("Profile") }
            Button(onClick = {
                session.signOut()
                navigator.signOut()
            }) { Text("Sign out") }
        }
    }
}
