import DeepLinkCore

/// A writer of HTML as bytes.
///
/// It escapes everything except markup.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(12_288)
    }

    /// Writes markup.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes bytes that are already markup.
    mutating func markup(_ text: [UInt8]) { bytes += text }

    /// Writes a text, or the value of an attribute in double quotes (HTML Living Standard §13.3).
    mutating func text(_ text: String) {
        let text = text.utf8Span.span
        var (start, index) = (0, -1)
        while index &+ 1 < text.count {
            index &+= 1
            // Letters and digits, the most frequent characters, need no escape.
            if text[index] >= UInt8(ascii: "?") { continue }
            let entity: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): entity = "&amp;"
            case UInt8(ascii: "<"): entity = "&lt;"
            case UInt8(ascii: ">"): entity = "&gt;"
            case UInt8(ascii: "\""): entity = "&quot;"
            case UInt8(ascii: "'"): entity = "&#39;"
            default: continue
            }
            append(text.extracting(start..<index))
            markup(entity)
            start = index + 1
        }
        append(text.extracting(start...))
    }

    private mutating func append(_ stretch: Span<UInt8>) {
        stretch.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Writes a number.
    mutating func number(_ number: Int) { bytes += String(number).utf8 }

    /// Writes a tag with a text as the value of its one attribute.
    mutating func meta(_ start: StaticString, value: String) {
        markup(start)
        text(value)
        markup("\">\n")
    }

    /// Writes an element with a text, and a `lang` attribute if its language differs from the page's.
    mutating func element(_ name: StaticString, content: PageText, in language: String) {
        markup("<")
        markup(name)
        if content.language.bytewise != language.bytewise {
            if !content.language.isEmpty {
                markup(" lang=\"")
                text(content.language)
                markup("\"")
            }
            markup(" dir=\"")
            text(TextDirection(of: content.language).rawValue)
            markup("\"")
        }
        markup(">")
        text(content.text)
        markup("</")
        markup(name)
        markup(">\n")
    }

    /// Writes a link that looks like a button.
    mutating func button(_ kind: StaticString, to address: String, label: String) {
        markup("<a class=\"")
        markup(kind)
        markup("\" href=\"")
        text(address)
        markup("\">")
        text(label)
        markup("</a>\n")
    }
}

/// A text of a page, with its language.
///
/// An empty tag stands for an unknown language.
struct PageText {
    let text: String
    let language: String
}

extension HTMLWriter {
    /// Writes the metadata for previews: Open Graph, Twitter's card, and App Links.
    mutating func writePreview(_ content: PageContent) {
        if let text = content.description { meta(#"<meta property="og:description" content=""#, value: text.text) }
        meta(#"<meta property="og:title" content=""#, value: content.title.text)
        markup("<meta property=\"og:type\" content=\"website\">\n")
        if let name = content.siteName { meta(#"<meta property="og:site_name" content=""#, value: name.text) }
        if let link = content.forms.link { meta(#"<meta property="og:url" content=""#, value: link) }
        guard let image = content.image else {
            markup("<meta name=\"twitter:card\" content=\"summary\">\n")
            return writeAppLinks(content)
        }
        meta(#"<meta property="og:image" content=""#, value: image.address)
        if let width = image.width { meta(#"<meta property="og:image:width" content=""#, value: String(width)) }
        if let height = image.height { meta(#"<meta property="og:image:height" content=""#, value: String(height)) }
        if let text = content.imageText { meta(#"<meta property="og:image:alt" content=""#, value: text.text) }
        markup("<meta name=\"twitter:card\" content=\"summary_large_image\">\n")
        writeAppLinks(content)
    }

    /// Writes the links for apps that follow App Links (applinks.org), if an app opens the link.
    private mutating func writeAppLinks(_ content: PageContent) {
        guard let link = content.forms.scanned else { return }
        let name = content.siteName?.text
        if let address = content.forms.apps.apple {
            meta(#"<meta property="al:ios:url" content=""#, value: address)
            if let id = content.stores.appStoreID {
                meta(#"<meta property="al:ios:app_store_id" content=""#, value: id)
            }
            if let name { meta(#"<meta property="al:ios:app_name" content=""#, value: name) }
        }
        if let package = content.stores.package {
            meta(#"<meta property="al:android:url" content=""#, value: link)
            meta(#"<meta property="al:android:package" content=""#, value: package)
            if let name { meta(#"<meta property="al:android:app_name" content=""#, value: name) }
        }
        guard let fallback = content.fallback else { return }
        meta(#"<meta property="al:web:url" content=""#, value: fallback)
    }

    /// Writes the image of a page.
    mutating func picture(_ image: PageImage, text alternative: PageText?, in language: String) {
        markup(#"<img class="picture" alt=""#)
        text(alternative?.text ?? "")
        if let tag = alternative?.language, !tag.isEmpty, tag.bytewise != language.bytewise {
            markup("\" lang=\"")
            text(tag)
        }
        for case (let name, let side?) in [(" width=\"" as StaticString, image.width), (" height=\"", image.height)] {
            markup("\"")
            markup(name)
            number(side)
        }
        meta("\" src=\"", value: image.address)
    }

    /// Writes the button that copies a link, hidden until its script shows it, and the element for its confirmation.
    mutating func copyButton(_ link: String, words: PageWords) {
        markup(#"<button id="copy" type="button" hidden value=""#)
        text(link)
        markup("\" data-done=\"")
        text(words.copied)
        markup("\">")
        text(words.copy)
        markup("</button>\n<p id=\"copied\" role=\"status\"></p>\n")
    }

    /// Writes a QR code with its label.
    mutating func code(_ code: QRCode, label: String) {
        let side = code.size + 2 * QRCode.quietZone
        markup(
            "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"scan\" viewBox=\"0 0 "
        )
        number(side)
        markup(" ")
        number(side)
        markup("\" shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"")
        markup(code.path)
        markup("\" stroke=\"#000\"/></svg>\n<figcaption id=\"scan\">")
        text(label)
        markup("</figcaption>\n</figure>\n")
    }
}
