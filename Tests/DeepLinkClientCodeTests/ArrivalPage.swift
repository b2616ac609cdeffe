import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb
import Foundation
import WaymarkRuntime

/// The page of a link, read as the stores, Safari and a visitor's clipboard do.
struct ArrivalPage {
    private struct NoKeys: SignatureVerifier {
        func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal) {}
    }

    /// The time of each click, in seconds since 1970.
    private static let now: Int64 = 1_795_000_000

    /// The page's HTML, without the escapes of ampersands; empty if the link has no page.
    let html: String

    /// Asks for the page of a link.
    init(_ link: String, of pages: LinkPages, on platform: DevicePlatform = .ios) {
        let answer = pages.answer(
            link: Array(link.utf8),
            to: LinkVisitor(isBrowser: false, platform: platform),
            keys: NoKeys(),
            at: Timestamp(millisecondsSinceEpoch: 0)
        )
        if case .page(let page) = answer.answer {
            html = String(decoding: page.bytes, as: UTF8.self).replacing("&amp;", with: "&")
        } else {
            html = ""
        }
    }

    /// The referrers, as Google Play hands them over: that of the button, and that behind `intent:`.
    var referrers: [String] {
        let button = html.firstMatch(of: /play\.google\.com\/store\/apps\/details\?[^"]*referrer=([^"&]*)"/)
            .map { String($0.1) }
        let intent = html.firstMatch(of: /S\.browser_fallback_url=([^;]*);/)
            .flatMap { String($0.1).removingPercentEncoding }
            .flatMap { $0.firstMatch(of: /referrer=(.*)$/).map { String($0.1) } }
        return [button, intent].compactMap { $0?.removingPercentEncoding }
    }

    /// The text that the copy button copies; `nil` without the button.
    var copied: String? { html.firstMatch(of: /<button id="copy"[^>]*value="([^"]*)"/).map { String($0.1) } }

    /// The argument of Safari's banner; `nil` without the banner.
    var banner: String? { html.firstMatch(of: /app-argument=([^"]*)"/).map { String($0.1) } }

    /// Returns the links that a reader finds, one for each way over the installation that the page offers; `nil` for a
    /// way without a link at its end.
    ///
    /// A referrer without a link only names its campaign.
    func arrivals(by reader: ArrivalReader) -> [String?] {
        referrers.filter { $0.hasPrefix("waymark=") }
            .map { text in
                reader.find(inReferrer: text, clickedAt: Self.now, installedAt: Self.now, now: Self.now).link
            }
            + [copied].compactMap { $0.map { reader.find(inPasted: $0).link } }
            + [banner].compactMap { $0.map { reader.find(inBanner: $0).link } }
    }
}
