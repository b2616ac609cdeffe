import DeepLinkCore

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
