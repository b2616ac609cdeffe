import DeepLinkCore

/// The reader of a route's `web`: its properties for browsers and previews.
struct PageReader {
    /// The supported keys.
    static let keys = ["title", "description", "image", "fallback", "open", "carry"]

    let site: Site
    let log: IssueLog

    /// Reads the mapping.
    ///
    /// `parameters` and `path` belong to the route.
    func read(
        _ node: YAMLNode,
        subject: String,
        parameters: [Located<Parameter>],
        path: PathPattern?
    ) -> RoutePage {
        let subject = "`web` of \(subject)"
        let reader = MappingReader(node, subject: subject, keys: Self.keys, log: log)
        let type = { (name: String) -> ParameterType? in
            if let declared = parameters.first(where: { $0.value.name.bytewise == name.bytewise }) {
                return declared.value.type
            }
            let isInPath = path?.parameterNames.contains { $0.bytewise == name.bytewise } == true
            return isInPath ? .scalar(.anyText) : nil
        }
        let texts = LocalizedTextReader(log: log)
        let title = texts.read("title", of: reader)
        let description = texts.read("description", of: reader)
        for (key, text) in [("title", title), ("description", description)] {
            check(text, key: key, at: reader[key]?.mark, subject: subject, type: type)
        }
        let addresses = AddressRules(site: site, log: log)
        let image = ImageReader(addresses: addresses)
            .read(reader) { check($0, key: "alt", at: $1, subject: subject, type: type) }
        let opens = reader.value(
            "open",
            as: "a place where a link opens",
            hint: "Write `open: app`, or `open: web` to keep the link in the browser.",
            parse: { RoutePage.Opens(bytewise: $0) }
        )
        return RoutePage(
            title: title,
            description: description,
            image: image,
            fallback: FallbackReader(addresses: addresses).read(reader, type: type),
            opens: opens?.value ?? .app,
            carries: reader.bool("carry"),
            at: log.location(reader["open"]?.mark ?? node.mark)
        )
    }

    /// Requires the parameters of a text to be of types with a fixed wording: any other text from a link's author would
    /// appear on a page of the site.
    private func check(
        _ text: LocalizedText?,
        key: String,
        at mark: YAMLMark?,
        subject: String,
        type: (String) -> ParameterType?
    ) {
        for name in (text?.versions ?? []).flatMap({ TextTemplate($0.text).names }) {
            switch type(name) {
            case .scalar(.int)?, .scalar(.uuid)?, .scalar(.date)?, .scalar(.enumeration)?: break
            case nil:
                log.report(
                    .invalidWeb,
                    at: mark,
                    message: "`\(key)` of \(subject) names the parameter `\(name)`, which it does not have.",
                    hint: "Name one of the route's parameters, or write the text without it."
                )
            case let type?:
                log.report(
                    .invalidWeb,
                    at: mark,
                    message: "`\(key)` of \(subject) names the parameter `\(name)`, whose type is `\(type.name)`.",
                    hint: "Only int, uuid, date and enum are allowed there: a link could set any text in others."
                )
            }
        }
    }
}

/// The reader of `fallback`: an address, or a mapping from platforms to addresses.
struct FallbackReader {
    let addresses: AddressRules

    /// Reads the value of `fallback`.
    ///
    /// `type` returns the type of a parameter by its name.
    func read(_ reader: MappingReader, type: (String) -> ParameterType?) -> Fallback? {
        guard let node = reader["fallback"] else { return nil }
        guard node.pairs != nil else {
            return addresses.pattern("fallback", of: reader, type: type).map { Fallback($0) }
        }
        let platforms = DevicePlatform.allCases
        let mapping = MappingReader(
            node,
            subject: "`fallback` of \(reader.subject)",
            keys: platforms.map { $0.rawValue },
            log: addresses.log
        )
        if node.pairs?.isEmpty == true {
            addresses.log.report(
                .invalidWeb,
                at: node.mark,
                message: "\(mapping.subject) names no platform.",
                hint: "Write an address, or a mapping such as `{ desktop: \"https://www.example.com\" }`."
            )
        }
        var found: [DevicePlatform: FallbackPattern] = [:]
        for platform in platforms {
            found[platform] = addresses.pattern(platform.rawValue, of: mapping, type: type)
        }
        return found.isEmpty ? nil : Fallback(found)
    }
}
