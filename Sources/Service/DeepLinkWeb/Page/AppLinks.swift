import DeepLinkCore

/// The addresses on a page that open apps and stores.
struct AppLinks {
    /// The link that opens the app on Apple's systems.
    ///
    /// It has a custom scheme, because a link to the same site stays in Safari.
    let apple: String?

    /// The link that opens the app on Android, in browsers that support `intent:`.
    let android: String?

    /// The content of Safari's app banner.
    let banner: String?

    /// The link that a button copies, or `nil` without such a button.
    let copied: String?

    /// The app's page in the App Store.
    let appStore: String?

    /// The app's page on Google Play.
    let googlePlay: String?

    /// Creates links to the stores alone.
    init(_ stores: StoreLinks, campaign: [QueryItem] = []) {
        (apple, android, copied) = (nil, nil, nil)
        banner = stores.banner
        appStore = stores.appStore
        googlePlay = stores.googlePlay(referrer: InstallReferrer.encoded(link: nil, campaign: campaign))
    }

    /// Creates the addresses for a link.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - stores: the addresses of the stores.
    ///   - fallback: the address that Android opens without the app, or `nil` for the store.
    init(_ link: PrintedLink, stores: StoreLinks, fallback: String?) {
        apple = link.custom
        let carried = link.isCarried ? link.web : nil
        let referrer = InstallReferrer.encoded(link: carried, campaign: link.campaign)
        let googlePlay = stores.googlePlay(referrer: referrer)
        android = stores.package.map { package in
            let end = (fallback ?? googlePlay).map { "S.browser_fallback_url=\(ValueEncoding.encoded($0));" } ?? ""
            let address = Substring(link.web.utf8.dropFirst("https:".utf8.count))
            return "intent:\(address)#Intent;scheme=https;package=\(package);\(end)end"
        }
        // A comma separates the arguments of the banner.
        banner = stores.banner.map { banner in
            let argument = link.web.utf8.contains(UInt8(ascii: ",")) ? link.web.replacing(",", with: "%2C") : link.web
            return "\(banner), app-argument=\(argument)"
        }
        copied = stores.copies ? carried : nil
        appStore = stores.appStore
        self.googlePlay = googlePlay
    }
}

/// The text that Google Play passes to an app at its first start: the link that the visitor followed to the store, and
/// its campaign (decision record 37).
enum InstallReferrer {
    /// The maximum length of the text in bytes, encoded as a value of the store's address.
    static let maximumByteCount = 1_024

    /// Encodes the text as a value.
    ///
    /// - Parameters:
    ///   - link: the https link, or `nil` if it isn't carried. It is omitted if the text would be too long.
    ///   - campaign: the pairs of the campaign, omitted if they alone are too long.
    /// - Returns: the encoded text, or `nil` if it would be empty.
    static func encoded(link: String?, campaign: [QueryItem]) -> String? {
        let pairs = campaign.map { item in
            "\(ValueEncoding.encoded(item.name))=\(ValueEncoding.encoded(item.value ?? ""))"
        }
        let linkPair = link.map { ["waymark=\(ValueEncoding.encoded($0))"] } ?? []
        for parts in [linkPair + pairs, pairs] where !parts.isEmpty {
            let text = ValueEncoding.encoded(parts.joined(separator: "&"))
            if text.utf8.count <= maximumByteCount { return text }
        }
        return nil
    }
}

/// The percent-encoding of a value within an address of another site: all bytes but letters, digits and `-._~` are
/// encoded.
enum ValueEncoding {
    /// Returns a text encoded as a value.
    static func encoded(_ text: String) -> String {
        let bytes = text.utf8Span.span
        return String(unsafeUninitializedCapacity: 3 * bytes.count) { place in
            var count = 0
            for index in bytes.indices {
                let byte = bytes[index]
                if isPlain(byte) {
                    place[count] = byte
                    count &+= 1
                } else {
                    place[count] = UInt8(ascii: "%")
                    place[count &+ 1] = digit(byte >> 4)
                    place[count &+ 2] = digit(byte & 15)
                    count &+= 3
                }
            }
            return count
        }
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        if (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 { return true }
        return byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "~")
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}
