import DeepLinkCore

extension CatalogBody {
    /// Writes the apps that open the links and the site that they are part of, as catalogs write them, if they are given.
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
                    }
                }
                writer.key("android")
                writer.array(apps.android) { writer, app in
                    writer.object { writer in
                        writer.member("package", text: app.package)
                        writer.key("fingerprints")
                        writer.array(app.fingerprints) { $0.string($1) }
                    }
                }
            }
        }
        guard site != .unnamed else { return }
        writer.key("web")
        writer.object { writer in
            writer.member("name", text: site.name)
            writer.member("fallback", text: site.fallback)
            writer.key("hosts")
            writer.array(site.hosts) { $0.string($1) }
        }
    }

    /// Writes a route's settings for browsers, in the format of catalogs.
    func write(_ page: RoutePage?, to writer: inout JSONWriter) {
        guard let page else { return }
        writer.key("web")
        writer.object { writer in
            writer.member("title", text: page.title)
            writer.member("description", text: page.description)
            writer.member("image", text: page.image)
            writer.member("fallback", text: page.fallback?.template.source)
            if page.opens != .app { writer.member("open", text: page.opens.rawValue) }
        }
    }
}

extension JSONWriter {
    /// Writes a member, unless it has no value.
    fileprivate mutating func member(_ name: String, text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes a member: a text, or one for each language.
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
