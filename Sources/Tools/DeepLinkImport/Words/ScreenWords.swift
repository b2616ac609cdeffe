import DeepLinkCore

/// The words with which apps name screens, and the codes of languages.
///
/// A segment that is one of these words is rather a part of the path than a value, even where it was seen once.
enum ScreenWords {
    private static let screens = Set(
        """
        about accept access account accounts activate activity add address addresses admin agenda alerts all analytics api \
        app appearance apps archive archived article articles auth authorize back balance billing blog bookmark bookmarks \
        browse buy calendar call calls camera cancel cart categories category channels chat chats checkout claim classic \
        close collection collections comment comments community compare complete compose config confirm confirmation connect \
        contact contacts contents conversation conversations copyright coupons create credits current customize daily \
        dashboard deals debug delete delivery deposit detail details developer developers devices discover donate done \
        download downloads draft drafts edit email error events explore export faq favorite favorites favourites feed \
        feedback feeds files filter find flags folders follow followers following follows forgot forgot-password forum \
        friends gallery general get gift gifts groups guide guides help history home identity image images import inbox \
        index info insights install integrations intro invitations invite invites invoices item items jobs join language \
        languages latest learn legal library liked likes list lists live locale location login logout log-in log-out main-page map \
        maps market me media member members membership memberships menu messages mine mobile modal moderation month more my \
        nearby network new news newsletter notes notification notifications oauth offers onboarding open order orders \
        overview page pages partners password pay payment payments people permissions personal phone photo photos plans play \
        player playlists points popular posts premium preferences press preview pricing privacy privacy-policy private \
        products profile profiles project projects promotions public purchases qr quests questions ranking read rate reader \
        receipts recent recommendations recover redeem register registration reminders remove reply report reports request \
        requests reset reset-password restaurants results resume review reviews rewards rooms root rules sale sales saved \
        scan schedule search security sell send services session sessions set settings setup share shipping shop shopping \
        show shows sign-in sign-up signin signout signup site sites start statements stats status store stores stories story \
        subscribe subscription subscriptions success summary support survey surveys sync system tabs tags tasks team teams \
        terms terms-of-service theme themes threads tickets timeline today tools top topics tos trade transaction \
        transactions transfer transfers trending trial trips unsubscribe update updates upgrade upload user users verify \
        verification video videos view wallet watch watchlist week welcome whats-new wishlist withdraw withdrawal work \
        workspaces year you
        """
        .utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { ByteText(String(Substring($0))) }
    )

    private static let languages = Set(
        """
        af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn \
        ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh \
        zu
        """
        .utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { ByteText(String(Substring($0))) }
    )

    /// Returns whether a segment, in any case, is a word with which apps name screens.
    ///
    /// `reset_password` is the same word as `reset-password`. A wiki names each of its own pages `Special:` and a word
    /// (mediawiki.org, Help:Special pages).
    static func contains(_ word: String) -> Bool {
        let bytes = word.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : ASCII.lowercased($0) }
        return bytes.starts(with: "special:".utf8) || screens.contains(ByteText(String(decoding: bytes, as: UTF8.self)))
    }

    /// Returns whether a segment names screens that lead to others of different kinds, such as `settings`.
    static func isContainer(_ word: String) -> Bool {
        let name = lowercased(word)
        return containers.contains(name) || name.string.utf8.starts(with: "my-".utf8)
    }

    /// Returns whether a segment names several things, which the segments behind it tell apart.
    static func isPlural(_ word: String) -> Bool {
        let bytes = word.utf8
        return bytes.count > 3 && bytes.last.map(ASCII.lowercased) == UInt8(ascii: "s")
            && bytes.dropLast().last.map(ASCII.lowercased) != UInt8(ascii: "s") && !isContainer(word)
    }

    private static let containers = Set(
        """
        about account admin config dashboard debug details developer developer-tools dev-tools general help home info intent \
        internal legal main me moderation more news oauth onboarding options preferences privacy security settings status \
        support sys system tabs tools wallet
        """
        .utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { ByteText(String(Substring($0))) }
    )

    /// Returns whether a segment is a tag of a language, possibly with a region: `de`, `pt-BR`, `zh_Hant`.
    static func isLanguage(_ word: String) -> Bool {
        let parts = word.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard let first = parts.first, first.count <= 3, languages.contains(lowercased(String(Substring(first)))) else {
            return false
        }
        return parts.count == 1 || (2...4).contains(parts[1].count) && parts[1].allSatisfy(ASCII.isLetter)
    }

    /// Returns a text with its ASCII letters in lower case.
    static func lowercased(_ text: String) -> ByteText {
        ByteText(String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self))
    }
}
