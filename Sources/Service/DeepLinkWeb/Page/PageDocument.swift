import DeepLinkCore

/// The HTML of a page.
///
/// It runs no script but the button that copies the link, and requests nothing but the catalog's images.
struct PageDocument {
    private let content: PageContent
    private let style: PageStyle
    private var html = HTMLWriter()

    /// Returns the HTML of a page.
    static func html(_ content: PageContent, style: PageStyle) -> [UInt8] {
        var document = PageDocument(content: content, style: style)
        document.writeHead()
        document.writeBody()
        return document.html.bytes
    }

    private var language: String { content.words.language }

    private mutating func writeHead() {
        html.markup("<!DOCTYPE html>\n<html lang=\"")
        html.text(language)
        html.markup("\" dir=\"")
        html.text(content.words.direction.rawValue)
        html.markup("\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
        html.text(content.title.text)
        html.markup(
            """
            </title>
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="robots" content="noindex">
            <meta name="referrer" content="no-referrer">

            """
        )
        if let icon = content.icon { html.meta(#"<link rel="icon" href=""#, value: icon) }
        if let text = content.description { html.meta(#"<meta name="description" content=""#, value: text.text) }
        html.writePreview(content)
        let banner = content.forms.apps.banner
        if let banner { html.meta(#"<meta name="apple-itunes-app" content=""#, value: banner) }
        html.markup("<style>")
        html.markup(style.sheet)
        html.markup("</style>\n</head>\n")
    }

    private mutating func writeBody() {
        let words = content.words
        let apps = content.forms.apps
        html.markup("<body>\n<main>\n")
        writeSite()
        if let image = content.image { html.picture(image, text: content.imageText, in: language) }
        html.element("h1", content: content.title, in: language)
        if let description = content.description { html.element("p", content: description, in: language) }
        writeActions()
        if content.platform != .desktop, apps.apple != nil || apps.android != nil {
            html.element("p", content: PageText(text: words.inAppBrowser, language: language), in: language)
        }
        if content.platform == .ios, content.forms.scanned != nil, apps.banner != nil {
            html.element("p", content: PageText(text: words.comeBack, language: language), in: language)
        }
        if apps.copied != nil {
            html.markup("<script>")
            html.markup(PageScript.copy)
            html.markup("</script>\n")
        }
        html.markup("</main>\n</body>\n</html>\n")
    }

    private mutating func writeSite() {
        let name = content.siteName.flatMap { $0.text.bytewise == content.title.text.bytewise ? nil : $0 }
        guard let icon = content.icon else {
            if let name { html.element("p", content: name, in: language) }
            return
        }
        html.markup("<div class=\"site\">\n")
        html.meta(#"<img class="icon" alt="" width="48" height="48" src=""#, value: icon)
        if let name { html.element("p", content: name, in: language) }
        html.markup("</div>\n")
    }

    /// Writes the links of the visitor's own platform, the QR code, and the other links in a collapsed element.
    private mutating func writeActions() {
        let actions = PageActions(content)
        guard !actions.isEmpty || content.code != nil else { return }
        html.markup("<nav>\n")
        for action in actions.own { write(action) }
        if let code = content.code { html.code(code, label: content.words.scan) }
        if !actions.others.isEmpty {
            // A tablet may identify itself as a desktop, and needs its links visible if there is nothing else.
            html.markup(actions.own.isEmpty ? "<details open>\n<summary>" : "<details>\n<summary>")
            html.text(content.words.otherDevices)
            html.markup("</summary>\n<div class=\"list\">\n")
            for action in actions.others { write(action) }
            html.markup("</div>\n</details>\n")
        }
        html.markup("</nav>\n")
    }

    private mutating func write(_ action: PageActions.Action) {
        switch action {
        case .link(let kind, let address, let label): html.button(kind, to: address, label: label)
        case .copy(let link): html.copyButton(link, words: content.words)
        }
    }
}
