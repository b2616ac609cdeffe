import DeepLinkCore

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
