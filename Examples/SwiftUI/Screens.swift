import Foundation
import SwiftUI

/// The screen of each route, with its values, and its place: the destinations that it stands on.
struct Screen: View {
    let route: AppRoute
    let place: WaymarkPlace<AppRoute>
    let navigator: WaymarkNavigator<AppRoute>

    private static let tabs: [AppRoute] = [.characters, .episodes, .favorites]

    /// Returns the link of a tab that the server opens: the favorites are behind the login.
    private static func link(of tab: AppRoute) -> String? {
        tab == .favorites ? "https://app.example/favorites" : nil
    }

    var body: some View {
        switch route {
        case .tabBar:
            TabView(selection: place.selectedTab(of: Self.tabs, opening: Self.link(of:))) {
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
                // A link from the top of what is shown: if it is behind the paywall, that is presented over this screen.
                Button("About") { Task { await navigator.append("?sheet=About") } }
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
                Button("Profile") { Task { await navigator.open("https://app.example/settings/profile") } }
                Button("Sign out") {
                    Session.user = nil
                    navigator.signOut()
                    Arrivals.keep(navigator)
                }
                Button("Close") { navigator.dismiss() }
            }
        }
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
