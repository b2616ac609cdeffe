import Foundation
import SwiftUI

/// The link that led to the installation of the app: iOS hands none over, so the visitor pastes what the page's button
/// copied. Safari's banner opens the app itself.
@MainActor enum Arrivals {
    private static let reader = ArrivalReader(hosts: ["app.example"])

    /// Gives a navigator the stored record of this installation.
    static func start(_ navigator: WaymarkNavigator<AppRoute>) {
        var record = ArrivalRecord(text: UserDefaults.standard.string(forKey: "arrival") ?? "")
        _ = record.start(installedAt: date(of: .libraryDirectory), updatedAt: date(of: Bundle.main.bundleURL))
        navigator.arrivals = record
        keep(navigator)
    }

    /// Opens the link in a pasted text, if there is one.
    static func open(pasted text: String, in navigator: WaymarkNavigator<AppRoute>) async {
        guard let link = navigator.arrivals?.receive(reader.find(inPasted: text)) else { return keep(navigator) }
        keep(navigator)
        await navigator.open(link, arrival: .pasted)
        // Without an answer it is the navigator that keeps it.
        navigator.arrivals?.handedOver()
        keep(navigator)
    }

    /// Opens a link that was pasted before the app ended.
    static func resume(_ navigator: WaymarkNavigator<AppRoute>) async {
        if let link = navigator.arrivals?.link { await open(pasted: link, in: navigator) }
    }

    /// Notes that a link opened the app itself, which counts more than one that led to the installation.
    static func openedByLink(_ navigator: WaymarkNavigator<AppRoute>) {
        navigator.arrivals?.openedByLink()
        keep(navigator)
    }

    /// Stores the record, apart from all that signing out clears.
    static func keep(_ navigator: WaymarkNavigator<AppRoute>) {
        UserDefaults.standard.set(navigator.arrivals?.text, forKey: "arrival")
    }

    private static func date(of directory: FileManager.SearchPathDirectory) -> Int64 {
        FileManager.default.urls(for: directory, in: .userDomainMask).first.map { date(of: $0) } ?? 0
    }

    private static func date(of file: URL) -> Int64 {
        let created = try? file.resourceValues(forKeys: [.creationDateKey]).creationDate
        return Int64(created?.timeIntervalSince1970 ?? 0)
    }
}

/// The button that pastes the copied link, at the first start.
struct PasteLink: View {
    let navigator: WaymarkNavigator<AppRoute>
    @State var isUsed = false

    var body: some View {
        if !isUsed, navigator.arrivals?.isSettled == false {
            PasteButton(payloadType: String.self) { texts in
                isUsed = true
                Task { await Arrivals.open(pasted: texts.joined(separator: " "), in: navigator) }
            }
        }
    }
}
