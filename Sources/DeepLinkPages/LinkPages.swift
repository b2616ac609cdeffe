package import DeepLinkCore
import Synchronization

/// The pages of a catalog's web links, for visitors who are no program.
package final class LinkPages: Sendable {
    /// What a visitor gets.
    package enum Answer: Sendable {
        /// A page, of a link that leads to something or not.
        case page([UInt8], isKnown: Bool)

        /// The way to another address.
        case redirect(String)
    }

    /// What a page is made of.
    private struct Question: Hashable {
        let link: [UInt8]
        let acceptLanguage: ByteText
        let isBrowser: Bool
    }

    /// The most pages that are kept: some megabytes.
    private static let maximumKeptCount = 256

    /// The largest page that is kept.
    private static let maximumKeptByteCount = 16_384

    /// The longest field of languages with which a page is kept.
    private static let maximumFieldByteCount = 256

    private let catalog: RouteCatalog

    /// The answers that were given before: one link is mostly followed often, and its code costs more than a resolve.
    private let kept = Mutex<[Question: Answer]>([:])

    /// Prepares the pages of a catalog.
    package init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Answers a visitor of a link.
    ///
    /// - Parameters:
    ///   - bytes: the link as it came.
    ///   - acceptLanguage: the field that says which languages the visitor reads.
    ///   - isBrowser: whether a person may be sent on to where a route's fallback leads; else it is a preview.
    /// - Returns: a page, or the address to go on to.
    package func answer(link bytes: [UInt8], acceptLanguage: String?, isBrowser: Bool) -> Answer {
        let field = acceptLanguage ?? ""
        guard field.utf8.count <= Self.maximumFieldByteCount else {
            return make(bytes, LanguageRanges(acceptLanguage), isBrowser: isBrowser)
        }
        let question = Question(link: bytes, acceptLanguage: field.bytewise, isBrowser: isBrowser)
        if let known = kept.withLock({ $0[question] }) { return known }
        let answer = make(bytes, LanguageRanges(acceptLanguage), isBrowser: isBrowser)
        // What leads nowhere is anything, and a long link is nobody's habit.
        guard case .page(let page, isKnown: true) = answer, page.count <= Self.maximumKeptByteCount else {
            return answer
        }
        kept.withLock { kept in
            // Links that nobody asks for any more must not fill the memory.
            if kept.count >= Self.maximumKeptCount { kept.removeAll(keepingCapacity: true) }
            kept[question] = answer
        }
        return answer
    }

    private func make(_ bytes: [UInt8], _ ranges: LanguageRanges, isBrowser: Bool) -> Answer {
        guard let link = try? DeepLink(bytes: bytes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog)
        else { return .page(PageDocument.html(PageContent(unknownIn: catalog, ranges), nil), isKnown: false) }
        let page = plan.topEdge.flatMap { catalog.routes[$0.child].page }
        if isBrowser, let address = page?.fallback?.address(with: plan.stack.last?.parameters ?? []) {
            return .redirect(address)
        }
        let demand = signatureDemand(of: ResolutionRequest(link: link), catalog: catalog)
        let content = PageContent(plan, catalog, ranges, demand)
        // The code leads a phone to the link, which is of use where an app opens it.
        let code = page?.opens == .web ? nil : content.link.flatMap { QRCode($0) }
        return .page(PageDocument.html(content, code), isKnown: true)
    }
}

extension AuthorizationLevel {
    /// The level that may go anywhere: a page says nothing of who looks at it.
    fileprivate static var highest: AuthorizationLevel { allCases.last ?? .none }
}
