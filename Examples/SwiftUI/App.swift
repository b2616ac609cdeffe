import Foundation
import SwiftUI
import UserNotifications

@main
struct CharactersApp: App {
    @State private var navigator: WaymarkNavigator<AppRoute>
    private let notifications: NotificationTaps

    init() {
        let navigator = WaymarkNavigator(
            client: WaymarkClient<AppRoute>(
                server: .links,
                user: Session.user,
                app: "ios/\(Bundle.version)",
                token: { await Session.token() },
                holds: { Session.holds }
            ),
            first: [WaymarkDestination(.tabBar, presentation: .root), WaymarkDestination(.characters, presentation: .tab)],
            stored: UserDefaults.standard.string(forKey: "link"),
            store: { UserDefaults.standard.set($0, forKey: "link") }
        )
        Arrivals.start(navigator)
        _navigator = State(wrappedValue: navigator)
        notifications = NotificationTaps(navigator)
        UNUserNotificationCenter.current().delegate = notifications
        Task { await Arrivals.resume(navigator) }
    }

    var body: some Scene {
        WindowGroup {
            VStack {
                Notice(navigator: navigator)
                PasteLink(navigator: navigator)
                WaymarkStack(navigator) { route, place in
                    Screen(route: route, place: place, navigator: navigator)
                } unrecognized: { route in
                    Text("Update the app to see \(route.name).")
                }
            }
            // Universal links and those of the app's own scheme, cold and warm.
            .onOpenURL { url in
                Arrivals.openedByLink(navigator)
                Task { await navigator.open(url) }
            }
        }
    }
}

/// The problem of the last link, or the update that it requires.
struct Notice: View {
    let navigator: WaymarkNavigator<AppRoute>

    var body: some View {
        if let update = navigator.update {
            Text("This link takes version \(update.requiredVersion). \(update.storeLink ?? "")")
        } else if let problem = navigator.problem {
            Text(problem.status == 0 ? "There is no connection." : problem.detail)
        }
    }
}

/// The taps on notifications, whose `link` is opened as any other.
final class NotificationTaps: NSObject, UNUserNotificationCenterDelegate {
    private let navigator: WaymarkNavigator<AppRoute>

    init(_ navigator: WaymarkNavigator<AppRoute>) { self.navigator = navigator }

    nonisolated func userNotificationCenter(
        _: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        guard let link = response.notification.request.content.userInfo["link"] as? String else { return }
        await navigator.open(link)
    }
}

nonisolated extension Bundle {
    /// The version of the app, such as `3.1.0`.
    static var version: String { main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "0" }
}

nonisolated extension URL {
    /// The server of the app's links.
    static let links = URL(string: "https://links.example.com") ?? URL(fileURLWithPath: "/")
}
