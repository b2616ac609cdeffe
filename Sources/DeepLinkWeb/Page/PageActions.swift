import DeepLinkCore

/// The links and buttons of a page: those of the visitor's own platform, and those of others.
struct PageActions {
    /// A link or a button.
    enum Action {
        /// A link that looks like a button, of a class of the style sheet.
        case link(StaticString, address: String, label: String)

        /// The button that copies a link.
        case copy(String)
    }

    /// Those of the visitor's own platform, the likeliest first.
    let own: [Action]

    /// The others.
    let others: [Action]

    /// Whether there are none.
    var isEmpty: Bool { own.isEmpty && others.isEmpty }

    /// Sorts the links and buttons of a page.
    init(_ content: PageContent) {
        let (words, apps, platform) = (content.words, content.forms.apps, content.platform)
        func link(_ kind: StaticString, to address: String?, label: String) -> [Action] {
            address.map { [.link(kind, address: $0, label: label)] } ?? []
        }
        let apple =
            link("main", to: apps.apple, label: platform == .ios ? words.openTitle : words.openOnApple)
            + link("other", to: apps.appStore, label: words.appStore) + (apps.copied.map { [.copy($0)] } ?? [])
        let android =
            link("main", to: apps.android, label: platform == .android ? words.openTitle : words.openOnAndroid)
            + link("other", to: apps.googlePlay, label: words.googlePlay)
        let web = link("other", to: content.fallback, label: words.continueOnWeb)
        let (first, rest) =
            switch platform {
            case .ios: (apple, web + android)
            case .android: (android, web + apple)
            case .desktop: (web, apple + android)
            }
        // The way on to the web is not folded away from a platform without links of its own.
        (own, others) =
            first.isEmpty && platform != .desktop ? (web, platform == .ios ? android : apple) : (first, rest)
    }
}
