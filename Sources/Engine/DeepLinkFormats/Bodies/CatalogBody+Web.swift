import DeepLinkCore

extension CatalogBody {
    /// Writes the declared apps and the declared site, in the format of catalogs.
    func write(_ apps: Apps, site: Site, to writer: inout JSONWriter) {
        if apps.location != nil {
            writer.key("apps")
            writer.object { writer in
                writer.key("ios")
                writer.array(apps.apple) { writer, app in
                    writer.object { writer in
                        writer.member("appID", text: app.appID)
                        writer.member("storeID", text: app.storeID)
                        writer.member("scheme", text: app.scheme)
                        writer.member(app.storeQuery)
                        if app.copies {
                            writer.key("copy")
                            writer.value(.bool(true))
                        }
                    }
                }
                writer.key("android")
                writer.array(apps.android) { writer, app in
                    writer.object { writer in
                        writer.member("package", text: app.package)
                        writer.key("fingerprints")
                        writer.array(app.fingerprints) { $0.string($1) }
                        writer.member(app.storeQuery)
                    }
                }
            }
        }
        guard site != .unnamed else { return }
        writer.key("web")
        writer.object { writer in
            writer.member("name", text: site.name)
            writer.member(site.fallback)
            writer.key("hosts")
            writer.array(site.hosts) { $0.string($1) }
            writer.member("icon", text: site.icon)
            writer.member("color", text: site.color?.text)
            writer.member("onColor", text: site.onColor?.text)
            if let keep = site.keep {
                writer.key("keep")
                writer.array(keep.patterns) { $0.string($1) }
            }
            if !site.previewBots.isEmpty {
                writer.key("previewBots")
                writer.array(site.previewBots) { $0.string($1) }
            }
            if site.maxAge > 0 {
                writer.key("maxAge")
                writer.number(site.maxAge)
            }
        }
    }

    /// Writes a route's settings for browsers, in the format of catalogs.
    func write(_ page: RoutePage?, to writer: inout JSONWriter) {
        guard let page else { return }
        writer.key("web")
        writer.object { writer in
            writer.member("title", text: page.title)
            writer.member("description", text: page.description)
            writer.member(page.image)
            writer.member(page.fallback)
            if page.opens != .app { writer.member("open", text: page.opens.rawValue) }
            if let carries = page.carries {
                writer.key("carry")
                writer.value(.bool(carries))
            }
        }
    }
}

extension JSONWriter {
    /// Writes `storeQuery`, unless it is empty.
    fileprivate mutating func member(_ query: StoreQuery) {
        guard !query.items.isEmpty else { return }
        key("storeQuery")
        object { writer in
            for item in query.items { writer.member(item.name, text: item.value) }
        }
    }

    /// Writes `fallback`, if present: an address, or an address per platform.
    fileprivate mutating func member(_ fallback: Fallback?) {
        guard let fallback else { return }
        if let everywhere = fallback.everywhere { return member("fallback", text: everywhere.template.source) }
        key("fallback")
        object { writer in
            for platform in DevicePlatform.allCases {
                writer.member(platform.rawValue, text: fallback.platforms[platform]?.template.source)
            }
        }
    }

    /// Writes `image`, if present: an address, or a mapping if more than the address is declared.
    fileprivate mutating func member(_ image: PageImage?) {
        guard let image else { return }
        guard image.width != nil || image.height != nil || image.alternative != nil else {
            return member("image", text: image.address)
        }
        key("image")
        object { writer in
            writer.member("url", text: image.address)
            for case (let name, let side?) in [("width", image.width), ("height", image.height)] {
                writer.key(name)
                writer.number(side)
            }
            writer.member("alt", text: image.alternative)
        }
    }

    /// Writes a member, unless `text` is `nil`.
    fileprivate mutating func member(_ name: String, text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes a member: a text, or a text per language.
    fileprivate mutating func member(_ name: String, text: LocalizedText?) {
        guard let text else { return }
        key(name)
        guard let first = text.versions.first, !first.language.isEmpty else {
            return string(text.versions.first?.text)
        }
        object { writer in
            for version in text.versions { writer.member(version.language, text: version.text) }
        }
    }
}
