import Crypto
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkWeb
import Foundation
import HTTPServer
import HTTPTypes
import NIOCore

/// The association files of a catalog, generated once when it becomes the current one, and the pages of its web links.
final class LinkSite: Sendable {
    /// The request fields on which the response to a web link depends.
    static let varying: HTTPFields = [
        .vary: "Accept, Accept-Language, User-Agent, Authorization, Waymark-User, Waymark-App"
    ]

    /// The same fields for a catalog with levels or grants that an app asserts.
    private static let varyingByHolds: HTTPFields = [.vary: (varying[.vary] ?? "") + ", Waymark-Holds"]

    /// Returns the request fields on which the responses of a catalog depend.
    static func varying(in catalog: RouteCatalog) -> HTTPFields {
        catalog.takesAssertions ? varyingByHolds : varying
    }

    /// The association files, for tests against their rules.
    let files: AssociationFiles

    /// The programs that make previews.
    let previewBots: PreviewBots

    /// The address of the site's icon, or `nil` for none.
    let icon: String?

    private let catalog: RouteCatalog
    private let pages: LinkPages
    private let pageFields: PageFields
    private let pageCache = PageCache()
    private let bodies: [ByteText: [AssociationPlatform: SharedDocument]]

    /// Creates the files and pages of a catalog.
    init(_ catalog: RouteCatalog) {
        let files = AssociationFiles(catalog)
        var made: [[UInt8]: SharedDocument] = [:]
        var bodies: [ByteText: [AssociationPlatform: SharedDocument]] = [:]
        for host in files.hosts {
            for platform in AssociationPlatform.allCases {
                guard let bytes = files.file(for: platform, host: host) else { continue }
                // Hosts of one origin share their files.
                let file = made[bytes] ?? SharedDocument(ByteBuffer(bytes: bytes))
                made[bytes] = file
                bodies[host.bytewise, default: [:]][platform] = file
            }
        }
        self.files = files
        self.bodies = bodies
        self.catalog = catalog
        let pages = LinkPages(catalog)
        self.pages = pages
        pageFields = PageFields(pages.style)
        previewBots = PreviewBots(adding: catalog.site.previewBots)
        icon = catalog.site.icon
    }

    /// Returns the file of a host for a platform.
    func file(for platform: AssociationPlatform, host: String) -> SharedDocument? {
        files.name(of: host).flatMap { bodies[$0.bytewise]?[platform] }
    }

    /// Returns the page of a link for a visitor.
    ///
    /// An invalid signature counts as not found.
    ///
    /// The cached response to a recent such visitor of the link is reused. A short link is followed to its target.
    func page(
        of link: String,
        leadingTo target: LinkTarget? = nil,
        for visitor: PageVisitor,
        keys: LinkSigningKeys,
        at time: Timestamp
    ) -> (response: EndpointResponse, visit: PageVisit?) {
        if visitor.isOverLimit {
            let page = pages.waitingPage(for: visitor.visitor)
            var fields = pageFields.fields(of: page)
            fields[.retryAfter] = "1"
            return (EndpointResponse(.html, bytes: page.bytes, status: .tooManyRequests, fields: fields), nil)
        }
        let key = Self.key(of: link, leadingTo: target, for: visitor.visitor)
        let page = pageCache.page(for: key, in: catalog) {
            newPage(of: link, leadingTo: target, for: visitor.visitor, keys: keys, at: time)
        }
        return (page.response, page.visit)
    }

    private func newPage(
        of link: String,
        leadingTo target: LinkTarget?,
        for visitor: LinkVisitor,
        keys: LinkSigningKeys,
        at time: Timestamp
    ) -> PageCache.Page {
        let reply = pages.answer(link: Array(link.utf8), target: target, to: visitor, keys: keys, at: time)
        let (response, visit) = answer(of: reply, to: visitor)
        // A link with an invalid signature does not resolve either.
        let isLasting = reply.plan.map { !$0.isSigned && $0.signature == nil } ?? false
        return PageCache.Page(response, to: visit, isLasting: isLasting)
    }

    /// Returns the page for a visitor of an unknown code, or of the bare host of short links.
    func pageOfUnknownCode(in link: String, for visitor: PageVisitor) -> (response: EndpointResponse, visit: PageVisit)
    {
        answer(of: pages.answerToUnknownCode(link: Array(link.utf8), to: visitor.visitor), to: visitor.visitor)
    }

    private func answer(of reply: LinkPages.VisitResult, to visitor: LinkVisitor) -> (EndpointResponse, PageVisit) {
        let response: EndpointResponse
        var outcome = visitor.isBrowser ? PageVisit.Outcome.page : .preview
        switch reply.answer {
        case .page(let page):
            if reply.plan == nil { outcome = .unknown }
            let status: HTTPResponse.Status = reply.plan == nil ? .notFound : .ok
            response = EndpointResponse(.html, bytes: page.bytes, status: status, fields: pageFields.fields(of: page))
        case .redirect(let address):
            outcome = reply.plan == nil ? .unknown : .redirected
            var fields = Self.varying
            fields[.location] = address
            response = EndpointResponse(status: .found, fields: fields)
        }
        return (response, PageVisit(outcome, of: reply.request, plan: reply.plan, unmatched: reply.unmatched))
    }

    /// Returns a key of everything that the response to a visitor depends on, except a signature.
    private static func key(of link: String, leadingTo target: LinkTarget?, for visitor: LinkVisitor) -> [UInt8] {
        let languages = visitor.acceptLanguage ?? ""
        let bytes = target?.link.bytes ?? []
        var key: [UInt8] = []
        key.reserveCapacity(link.utf8.count + bytes.count + languages.utf8.count + 4)
        key += link.utf8
        if !bytes.isEmpty { key += [UInt8(ascii: "\n")] + bytes }
        // Links cannot contain a line feed.
        key.append(UInt8(ascii: "\n"))
        key.append(visitor.isBrowser ? 1 : 0)
        switch visitor.platform {
        case .ios: key.append(0)
        case .android: key.append(1)
        case .desktop: key.append(2)
        }
        key += languages.utf8
        return key
    }
}

/// The header fields of a catalog's pages.
///
/// A page may use its style sheet, show the catalog's images and run the script of its button, and nothing else, and
/// must not be indexed.
struct PageFields {
    private let common: HTTPFields

    /// The source expressions of the style sheet and of the script (CSP Level 3 §2.3.1).
    private let style: String
    private let script: String

    /// Creates the fields of pages with a style sheet.
    init(_ style: PageStyle) {
        func source(_ bytes: some DataProtocol) -> String {
            "'sha256-\(Data(SHA256.hash(data: bytes)).base64EncodedString())'"
        }
        self.style = source(style.sheet)
        script = PageScript.copy.withUTF8Buffer { source(Data($0)) }
        var fields = LinkSite.varying
        // Each page sets these two, at this position.
        fields[.contentSecurityPolicy] = ""
        fields[.cacheControl] = ""
        if let name = HTTPField.Name("X-Robots-Tag") { fields[name] = "noindex" }
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        common = fields
    }

    /// Returns the fields of a page.
    func fields(of page: LinkPage) -> HTTPFields {
        var policy = "default-src 'none'; style-src \(style); "
        if page.hasScript { policy += "script-src \(script); " }
        if !page.images.isEmpty { policy += "img-src \(page.images.map(Self.source).joined(separator: " ")); " }
        policy += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        var fields = common
        fields[.contentSecurityPolicy] = policy
        fields[.cacheControl] = page.maxAge > 0 ? "public, max-age=\(page.maxAge)" : "no-store"
        return fields
    }

    /// Returns the source expression of an address, without its query, and with the characters encoded that would end
    /// the expression.
    private static func source(_ address: String) -> String {
        let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.endIndex
        let source = address.utf8[..<end]
        guard source.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }) else {
            return String(Substring(source))
        }
        return String(Substring(source)).replacing(";", with: "%3B").replacing(",", with: "%2C")
    }
}

/// The cache of responses to visitors of recent links.
///
/// The same link is followed by many visitors, for example from a post, a mail or a poster. A response depends only on
/// the link and the visitor, unless the link has a signature. Signatures are checked each time. Other responses are
/// cached from the second time on.
///
/// Memory is bounded, by 512 responses of at most 16 KiB each.
final class PageCache: Sendable {
    /// A response to a visitor.
    ///
    /// It is a class, since each repetition refers to it.
    final class Page: Sendable {
        let response: EndpointResponse

        /// The visit, for observers.
        let visit: PageVisit

        /// Whether the response depends only on the link and the visitor.
        let isLasting: Bool

        /// Creates a page from its parts.
        init(_ response: EndpointResponse, to visit: PageVisit, isLasting: Bool) {
            self.response = response
            self.visit = visit
            self.isLasting = isLasting
        }
    }

    private static let maximumPageByteCount = 16 * 1024

    private let pages = RepeatCache<Page>(capacity: 512, maximumKeyByteCount: 1024)

    /// Returns the cached page for a key, or makes it.
    ///
    /// - Parameters:
    ///   - key: everything that the page depends on, except a signature.
    ///   - catalog: the catalog.
    ///   - make: makes the page.
    /// - Returns: the page.
    func page(for key: [UInt8], in catalog: RouteCatalog, make: () -> Page) -> Page {
        switch pages.find(key.span, in: catalog) {
        case .known(let page): return page
        case .new: return make()
        case .again:
            let page = make()
            if page.isLasting, page.response.contentLength ?? 0 <= Self.maximumPageByteCount {
                pages.keep(key, in: catalog) { _ in page }
            }
            return page
        }
    }
}
