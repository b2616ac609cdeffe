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
            first: [
                WaymarkDestination(.tabBar, presentation: .root), WaymarkDestination(.characters, presentation: .tab),
            ],
            stored: Self.recentLink,
            store: { UserDefaults.standard.set($0, forKey: "link") }
        )
        Arrivals.start(navigator)
        _navigator = State(wrappedValue: navigator)
        notifications = NotificationTaps(navigator)
        UNUserNotificationCenter.current().delegate = notifications
        Task {
            // A link that got no answer at the last start.
            if navigator.pending?.reason == .unanswered {
                await navigator.resume()
            } else {
                await Arrivals.resume(navigator)
            }
        }
    }

    /// The link that waits since the last start, unless that was too long ago to be what the user wants now.
    private static var recentLink: String? {
        let text = UserDefaults.standard.string(forKey: "link")
        let time = PendingLink<AppRoute>(text: text)?.openedAt ?? .now
        return time.timeIntervalSinceNow > -86_400 ? text : nil
    }

    var body: some Scene {
        WindowGroup {
            VStack {
                Notice(navigator: navigator)
                PasteLink(navigator: navigator)
                ShareButton(navigator: navigator)
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
            if navigator.pending?.reason == .unanswered {
                Button("Try again") { Task { await navigator.resume() } }
            }
        }
    }
}

/// The button that shares the link of what is shown, if there is one.
struct ShareButton: View {
    let navigator: WaymarkNavigator<AppRoute>
    @State private var link: URL?

    var body: some View {
        VStack {
            if let link { ShareLink(item: link) }
        }
        .task(id: navigator.state) { link = await navigator.link.flatMap { URL(string: $0) } }
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
