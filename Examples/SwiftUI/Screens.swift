import Foundation
import SwiftUI

/// The screen of each route, with its values, and its place: the destinations that it stands on.
struct Screen: View {
    let route: AppRoute
    let place: WaymarkPlace<AppRoute>
    let navigator: WaymarkNavigator<AppRoute>

    private static let tabs: [AppRoute] = [.characters, .episodes, .favorites]

    var body: some View {
        switch route {
        case .tabBar:
            // The favorites are behind the login: the server says whether they open.
            TabView(selection: place.selectedTab(of: Self.tabs, gated: [.favorites])) {
                ForEach(Self.tabs, id: \.self) { tab in
                    place.content(of: tab).tabItem { Text(tab.name) }.tag(Optional(tab))
                }
            }
        case .characters:
            VStack {
                ForEach(1...3, id: \.self) { id in
                    Button("Character \(id)") { navigator.push(.character(.init(id: id))) }
                }
                Button("Settings") { navigator.present(.settings, as: .fullScreenCover) }
            }
        case .character(let character):
            VStack {
                Text("Character \(character.id)")
                if case .episode(let episode)? = place.below.last?.route.known { Text("In episode \(episode.id)") }
                // It may be behind the paywall, which is presented over this screen then.
                Button("About") {
                    open(.characterSheet(.init(title: "About", characterId: character.id)), as: .sheet)
                }
            }
        case .characterSheet(let sheet): Text("\(sheet.title ?? "About") character \(sheet.characterId)")
        case .episodes: Button("Episode 1") { navigator.push(.episode(.init(id: 1))) }
        case .episode(let episode): Text("Episode \(episode.id)")
        case .favorites: Button("Character 3") { navigator.push(.character(.init(id: 3))) }
        case .profile: Text("Profile of \(Session.user ?? "nobody")")
        case .onboarding, .step: go("Go on") { Session.introduce() }
        case .login, .registration: go("Sign in") { await Session.signIn() }
        case .paywall: go("Buy", waiting: .seconds(30)) { await Session.buy() }
        case .settings:
            VStack {
                Button("Profile") { open(.profile, as: .push) }
                Button("Sign out") {
                    Session.user = nil
                    navigator.signOut()
                    Arrivals.keep(navigator)
                }
                Button("Close") { navigator.dismiss() }
            }
        }
    }

    /// Opens what may be behind a gate, over this screen: by its link, so that the server says whether it opens.
    private func open(_ next: AppRoute, as presentation: WaymarkPresentation) {
        Task { await navigator.open(navigator.state.stack + [WaymarkDestination(next, presentation: presentation)]) }
    }

    /// Returns a button that goes on to the link that waits, once the session has what it was for.
    private func go(
        _ title: String,
        waiting time: Duration = .zero,
        _ action: @escaping @MainActor () async -> Bool
    ) -> some View {
        Button(title) {
            Task {
                if await action() { await navigator.resume(waiting: time) }
            }
        }
    }
}
