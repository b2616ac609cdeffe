import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// A short link to write.
struct ImportedLink: Sendable {
    let write: ShortLinkWrite

    /// The line of the file, from 1.
    let line: Int

    /// The link that was resolved.
    let link: String

    /// Whether it has the common fallback as its destination.
    var isOtherwise = false
}

/// The conversion of another service's rows to short links.
struct ImportedLinks: Sendable {
    /// A short link to write, or the reason why there is none.
    enum Outcome: Sendable {
        case link(ImportedLink)
        case refused(ImportRefusal)
    }

    let destinations: ShortLinkDestinations

    /// The hosts to be replaced.
    let rewritings: [HostRewriting]

    /// The fallback destination of links that cannot be resolved, or `nil` if there is none.
    let otherwise: ShortLinkDestination?

    /// The label of rows without their own, or `nil` if there is none.
    let label: ShortLinkLabel?

    /// Returns the outcome of a row.
    ///
    /// - Complexity: Resolving and building a link.
    func outcome(of row: ImportedRow, at time: Timestamp) -> Outcome {
        func refused(_ reason: String, _ message: String) -> Outcome {
            .refused(ImportRefusal(line: row.line, code: row.code, link: row.link, reason: reason, message: message))
        }
        guard let code = ShortLinkCode(row.code.codeOfShortLink) else {
            return refused(
                "invalid-code",
                "A code has \(ShortLinkCode.minimumCount) to \(ShortLinkCode.maximumCount) of A–Z, a–z, 0–9, - and _."
            )
        }
        guard !ReservedPath.contains(code.text) else {
            return refused("reserved-code", "The server answers the path `/\(code.text)` itself.")
        }
        var label = label
        if !row.label.isEmpty {
            guard let own = ShortLinkLabel(new: row.label) else {
                return refused(
                    "invalid-label",
                    "A label has at most \(ShortLinkLabel.maximumByteCount) bytes and no control characters."
                )
            }
            label = own
        }
        let destination: ShortLinkDestination
        var isOtherwise = false
        let text = rewritings.rewritten(row.link)
        do throws(ShortLinkFault) {
            destination = try destinations.destination(of: text)
        } catch {
            guard let otherwise else { return .refused(ImportRefusal(row, link: text, fault: error)) }
            (destination, isOtherwise) = (otherwise, true)
        }
        guard let code = try? destination.importedCode(code) else {
            return refused(
                "code-too-short",
                "`\(destination.target.shape.route)` needs a signature, and a code that stands for one has "
                    + "\(ShortLinkDestination.signedLength) characters or more."
            )
        }
        let write = ShortLinkWrite(
            code: code,
            contents: ShortLinkContents(
                target: destination.target,
                label: label,
                expires: destination.latestEnd(at: time),
                signature: destination.signature
            ),
            precondition: .absent,
            time: time,
            author: UserOutput.author
        )
        return .link(ImportedLink(write: write, line: row.line, link: text, isOtherwise: isOtherwise))
    }
}
