import DeepLinkCore

/// The HTML of a page: the same for all visitors, without scripts and external requests.
struct PageDocument {
    private let content: PageContent
    private var html = HTMLWriter()

    /// Returns the HTML of a page.
    static func html(_ content: PageContent) -> [UInt8] {
        var document = PageDocument(content: content)
        document.writeHead()
        document.writeBody()
        return document.html.bytes
    }

    private init(content: PageContent) {
        self.content = content
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
        if let description = content.description {
            html.meta("<meta name=\"description\" content=\"", value: description.text)
            html.meta("<meta property=\"og:description\" content=\"", value: description.text)
        }
        html.meta("<meta property=\"og:title\" content=\"", value: content.title.text)
        html.markup("<meta property=\"og:type\" content=\"website\">\n")
        if let name = content.siteName { html.meta("<meta property=\"og:site_name\" content=\"", value: name.text) }
        if let link = content.forms.link { html.meta("<meta property=\"og:url\" content=\"", value: link) }
        if let image = content.image {
            html.meta("<meta property=\"og:image\" content=\"", value: image)
            html.markup("<meta name=\"twitter:card\" content=\"summary_large_image\">\n")
        } else {
            html.markup("<meta name=\"twitter:card\" content=\"summary\">\n")
        }
        if let banner = content.forms.apps.banner {
            html.meta("<meta name=\"apple-itunes-app\" content=\"", value: banner)
        }
        html.markup("<style>")
        html.markup(PageStyle.sheet)
        html.markup("</style>\n</head>\n")
    }

    private mutating func writeBody() {
        let words = content.words
        html.markup("<body>\n<main>\n")
        if let name = content.siteName, name.text.bytewise != content.title.text.bytewise {
            html.element("p", content: name, in: language)
        }
        html.element("h1", content: content.title, in: language)
        if let description = content.description { html.element("p", content: description, in: language) }
        writeButtons()
        if content.forms.apps.apple != nil || content.forms.apps.android != nil {
            html.element("p", content: PageText(text: words.inAppBrowser, language: language), in: language)
        }
        if let code = content.forms.code { write(code) }
        html.markup("</main>\n</body>\n</html>\n")
    }

    private mutating func writeButtons() {
        let words = content.words
        let buttons: [(kind: StaticString, address: String?, label: String)] = [
            ("main", content.forms.apps.apple, words.openOnApple),
            ("main", content.forms.apps.android, words.openOnAndroid),
            ("other", content.forms.apps.stores.appStore, words.appStore),
            ("other", content.forms.apps.stores.googlePlay, words.googlePlay),
            ("other", content.fallback, words.continueOnWeb),
        ]
        guard buttons.contains(where: { $0.address != nil }) else { return }
        html.markup("<nav>\n")
        for button in buttons {
            if let address = button.address { html.button(button.kind, to: address, label: button.label) }
        }
        html.markup("</nav>\n")
    }

    private mutating func write(_ code: QRCode) {
        let side = code.size + 2 * QRCode.quietZone
        html.markup(
            "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"scan\" viewBox=\"0 0 "
        )
        html.number(side)
        html.markup(" ")
        html.number(side)
        html.markup("\" shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"")
        html.markup(code.path)
        html.markup("\" stroke=\"#000\"/></svg>\n<figcaption id=\"scan\">")
        html.text(content.words.scan)
        html.markup("</figcaption>\n</figure>\n")
    }
}
