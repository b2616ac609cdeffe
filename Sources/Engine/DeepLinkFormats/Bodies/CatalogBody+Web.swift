import DeepLinkCore

extension CatalogBody {
    /// Writes the declared apps and the declared site, in the format of catalogs.
    func write(_ apps: Apps, site: Site, to writer: inout JSONWriter) {
        if apps.location != nil {
            writer.member("apps") { writer in
                // Clients that know one unnamed app find its lists, which are empty if only named apps are declared.
                write(apps.unnamed, to: &writer)
                for app in apps.named {
                    writer.member(app.name ?? "") { writer in
                        if app.wasUnnamed { writer.member("was", "unnamed") }
                        write(app, to: &writer)
                    }
                }
            }
        }
        guard site != .unnamed else { return }
        writer.member("web") { writer in
            writer.member("name", text: site.name)
            writer.member(site.fallback)
            writer.member("hosts", texts: site.hosts)
            writer.member("icon", ifPresent: site.icon)
            writer.member("color", ifPresent: site.color?.text)
            writer.member("onColor", ifPresent: site.onColor?.text)
            if let keep = site.keep { writer.member("keep", texts: keep.patterns.map { $0.string }) }
            if !site.previewBots.isEmpty { writer.member("previewBots", texts: site.previewBots) }
            if site.maxAge > 0 { writer.member("maxAge", site.maxAge) }
        }
    }

    /// Writes an app's forms on the platforms.
    private func write(_ app: DeclaredApp, to writer: inout JSONWriter) {
        writer.member("ios", array: app.apple) { writer, app in
            writer.object { writer in
                writer.member("appID", app.appID)
                writer.member("storeID", ifPresent: app.storeID)
                writer.member("scheme", ifPresent: app.scheme)
                writer.member(storeQuery: app.storeQuery)
                if app.copies { writer.member("copy", true) }
                if app.sharesCredentials { writer.member("webCredentials", true) }
                writer.member("clip", ifPresent: app.clip)
            }
        }
        writer.member("android", array: app.android) { writer, app in
            writer.object { writer in
                writer.member("package", app.package)
                writer.member("fingerprints", texts: app.fingerprints)
                writer.member(storeQuery: app.storeQuery)
                if app.sharesCredentials { writer.member("loginCredentials", true) }
            }
        }
    }

    /// Writes a route's settings for browsers, in the format of catalogs.
    func write(_ page: RoutePage?, to writer: inout JSONWriter) {
        guard let page else { return }
        writer.member("web") { writer in
            writer.member("title", text: page.title)
            writer.member("description", text: page.description)
            writer.member(page.image)
            writer.member(page.fallback)
            if page.opens != .app { writer.member("open", page.opens.rawValue) }
            if let carries = page.carries { writer.member("carry", carries) }
        }
    }
}

extension JSONWriter {
    /// Writes `storeQuery`, unless it is empty.
    fileprivate mutating func member(storeQuery query: [QueryItem]) {
        guard !query.isEmpty else { return }
        member("storeQuery") { writer in
            for item in query { writer.member(item.name, ifPresent: item.value) }
        }
    }

    /// Writes `fallback`, if present: an address, or an address per platform.
    fileprivate mutating func member(_ fallback: Fallback?) {
        guard let fallback else { return }
        if let everywhere = fallback.everywhere { return member("fallback", everywhere.template.source) }
        member("fallback") { writer in
            for platform in DevicePlatform.allCases {
                writer.member(platform.rawValue, ifPresent: fallback.platforms[platform]?.template.source)
            }
        }
    }

    /// Writes `image`, if present: an address, or a mapping if more than the address is declared.
    fileprivate mutating func member(_ image: PageImage?) {
        guard let image else { return }
        guard image.width != nil || image.height != nil || image.alternative != nil else {
            return member("image", image.address)
        }
        member("image") { writer in
            writer.member("url", image.address)
            if let width = image.width { writer.member("width", width) }
            if let height = image.height { writer.member("height", height) }
            writer.member("alt", text: image.alternative)
        }
    }

    /// Writes a member: a text, or a text per language.
    fileprivate mutating func member(_ name: String, text: LocalizedText?) {
        guard let text else { return }
        key(name)
        guard let first = text.versions.first, !first.language.isEmpty else {
            return string(text.versions.first?.text)
        }
        object { writer in
            for version in text.versions { writer.member(version.language, version.text) }
        }
    }
}
