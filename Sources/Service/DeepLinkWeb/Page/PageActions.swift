import DeepLinkCore

/// The links and buttons of a page, for the visitor's own platform and for other platforms.
struct PageActions {
    /// A link or a button.
    enum Action {
        /// A link that looks like a button, of a class of the style sheet.
        case link(StaticString, address: String, label: String)

        /// The button that copies a link.
        case copy(String)
    }

    /// The actions for the visitor's own platform, the likeliest first, including the link to the web.
    let own: [Action]

    /// The actions for other platforms.
    let others: [Action]

    /// Whether there are no actions.
    var isEmpty: Bool { own.isEmpty && others.isEmpty }

    /// Sorts the links and buttons of a page.
    ///
    /// Only the likeliest has the accent color: the link that opens the app on the visitor's platform, or else the link
    /// to the web.
    init(_ content: PageContent) {
        let (words, apps, platform) = (content.words, content.forms.apps, content.platform)
        func link(_ isMain: Bool, to address: String?, label: String) -> [Action] {
            address.map { [.link(isMain ? "main" : "other", address: $0, label: label)] } ?? []
        }
        // A tablet may identify itself as a desktop. Without a link to the web, each link that opens an app is a main
        // one.
        let opensAnywhere = platform == .desktop && content.fallback == nil
        func open(on device: DevicePlatform, _ address: String?, label: String) -> [Action] {
            let isOwn = device == platform
            return link(isOwn || opensAnywhere, to: address, label: isOwn ? words.openTitle : label)
        }
        let apple = (
            open: open(on: .ios, apps.apple, label: words.openOnApple),
            store: link(false, to: apps.appStore, label: words.appStore)
        )
        let android = (
            open: open(on: .android, apps.android, label: words.openOnAndroid),
            store: link(false, to: apps.googlePlay, label: words.googlePlay)
        )
        let mine = platform == .ios ? apple : platform == .android ? android : (open: [], store: [])
        let copy: [Action] = apps.copied.map { [.copy($0)] } ?? []
        let web = link(mine.open.isEmpty, to: content.fallback, label: words.continueOnWeb)
        own =
            (mine.open.isEmpty ? web + mine.store : mine.open + mine.store + web) + (platform == .ios ? copy : [])
        others =
            (platform == .ios ? [] : apple.open + apple.store + copy)
            + (platform == .android ? [] : android.open + android.store)
    }
}
