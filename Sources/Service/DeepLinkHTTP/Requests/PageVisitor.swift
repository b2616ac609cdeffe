import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import HTTPServer

/// A visitor that requests the page of a web link instead of its plan: a browser, or a preview bot.
struct PageVisitor: Sendable {
    /// The properties of the visitor that determine the page.
    let visitor: LinkVisitor

    /// Whether the visitor's address exceeds its rate limit of pages.
    var isOverLimit = false

    /// Recognizes a visitor by its fields, or returns `nil` for a program.
    ///
    /// A client that has credentials, names a user or asks for JSON is a program. A browser names `text/html`. A
    /// preview bot mostly sends `*/*`, or nothing, and is recognized by its name.
    init?(_ fields: VisitorHeaders, bots: () -> PreviewBots) {
        guard fields.authorization.count == 0, fields.user.count == 0 else { return nil }
        let accepts = fields.accept.contains { Self.names("text/html", in: $0) }
        guard accepts || fields.visitor.userAgent != nil,
            !fields.accept.contains(where: { Self.names("application/json", in: $0) })
        else { return nil }
        let makesPreviews = fields.visitor.userAgent.map { bots().areNamed(in: $0) } ?? false
        guard accepts || makesPreviews else { return nil }
        visitor = Self.visitor(fields, isBrowser: !makesPreviews)
    }

    /// Treats a client without credentials as a visitor if the plan would require authentication, for example an
    /// unknown bot or a link checker.
    ///
    /// - Returns: `nil` for a client that has credentials, names a user, asks for JSON, or does not send `*/*`.
    init?(stranger fields: VisitorHeaders) {
        guard fields.authorization.count == 0, fields.user.count == 0 else { return nil }
        guard fields.accept.contains(where: { Self.names("*/*", in: $0) }),
            !fields.accept.contains(where: { Self.names("application/json", in: $0) })
        else { return nil }
        visitor = Self.visitor(fields, isBrowser: false)
    }

    private static func visitor(_ fields: VisitorHeaders, isBrowser: Bool) -> LinkVisitor {
        LinkVisitor(
            isBrowser: isBrowser,
            platform: fields.visitor.userAgent.map(platform) ?? .desktop,
            acceptLanguage: fields.visitor.acceptLanguage
        )
    }

    /// Returns the platform named by a `User-Agent`, or desktop if it names none.
    ///
    /// Windows phones are ignored, although their browsers named all platforms, since they no longer exist.
    private static func platform(_ userAgent: String) -> DevicePlatform {
        if has("iPhone", in: userAgent) || has("iPad", in: userAgent) || has("iPod", in: userAgent) { return .ios }
        return has("Android", in: userAgent) ? .android : .desktop
    }

    /// Returns whether a field names a type, with a weight that is not zero.
    private static func names(_ type: String, in field: String) -> Bool {
        // Most fields don't contain the type's bytes, and are not parsed further.
        guard has(type, in: field) else { return false }
        return FieldParts(of: field, at: ",")
            .contains { range in
                var parts = FieldParts(range, at: ";")
                guard parts.next()?.isWord(type) == true else { return false }
                return !parts.contains { part in
                    part.prefix(2).isWord("q=")
                        && part.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
                }
            }
    }

    private static func has(_ word: String, in field: String) -> Bool {
        let bytes = field.utf8Span.span
        let word = word.utf8Span.span
        guard bytes.count >= word.count else { return false }
        let first = ASCII.lowercased(word[0])
        for start in 0...(bytes.count - word.count) where ASCII.lowercased(bytes[start]) == first {
            if ASCII.equalIgnoringCase(bytes.extracting(start..<start + word.count), word) { return true }
        }
        return false
    }
}

/// The names of programs that make previews and indexes, in `User-Agent`.
///
/// A superfluous name does no harm: its owner gets the same page as a browser.
struct PreviewBots: Sendable {
    /// The names in every catalog, in lower case.
    ///
    /// `WhatsApp` alone also occurs in the name of a browser inside that app.
    static let standardNames = [
        "facebookexternalhit", "facebot", "meta-externalagent", "twitterbot", "slackbot", "slack-imgproxy",
        "discordbot",
        "telegrambot", "whatsapp/", "linkedinbot", "applebot", "googlebot", "google-inspectiontool", "bingbot",
        "bingpreview", "mastodon", "skypeuripreview", "redditbot", "pinterest", "pinterestbot", "vkshare", "viber",
        "iframely", "embedly", "cardyb", "bluesky", "synapse", "duckduckbot", "yandexbot", "baiduspider", "snapchat/",
        "kakaotalk-scrap", "line-poker", "zoombot", "teamsbot", "matrix-media-repo", "nextcloud server crawler",
    ]

    /// The names that begin with each byte, in either case.
    private let namesByFirst: [[[UInt8]]]

    /// Creates the standard names, and additional ones.
    init(adding more: [String]) {
        let names = (Self.standardNames + more).map { $0.utf8.map(ASCII.lowercased) }.filter { !$0.isEmpty }
        namesByFirst = (0...UInt8.max).map { byte in names.filter { $0[0] == ASCII.lowercased(byte) } }
    }

    /// Returns whether a field contains one of the names, in any case.
    ///
    /// - Complexity: linear in the field.
    func areNamed(in userAgent: String) -> Bool {
        let bytes = userAgent.utf8Span.span
        let namesByFirst = namesByFirst
        for start in bytes.indices {
            for name in namesByFirst[Int(bytes[start])] where name.count <= bytes.count - start {
                var length = 1
                while length < name.count, ASCII.lowercased(bytes[start + length]) == name[length] { length += 1 }
                if length == name.count { return true }
            }
        }
        return false
    }
}
