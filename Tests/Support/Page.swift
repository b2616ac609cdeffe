import Foundation

/// A page of the documentation: a Markdown file of this checkout.
package struct Page: Sendable {
    /// A fenced block of a page.
    package struct Block: Sendable {
        /// The language that the fence names; empty if it names none.
        package let language: String

        /// The name of the file that the block is, if the fence goes on with one: ```` ```yaml routes.yaml ````.
        package let file: String?

        /// The lines, each with its line feed.
        package var text: String
    }

    /// The paths of all pages, from the top of the checkout.
    package static let paths: [String] = {
        let guides = ["apps", "links", "operate", "marketing"].map { "docs/guides/\($0)/" }
        let folders = ["", "docs/", "docs/reference/", "docs/decisions/"] + guides
        return folders.flatMap { folder in
            ((try? Checkout.files(in: folder, withExtension: "md")) ?? []).map { folder + $0.lastPathComponent }
        }
    }()

    /// The path, from the top of the checkout.
    package let path: String

    /// The fenced blocks, in order.
    package private(set) var blocks: [Block] = []

    /// The lines outside fenced blocks.
    package private(set) var prose: [String] = []

    /// Reads a page.
    package init(_ path: String) throws {
        self.path = path
        var isInBlock = false
        for line in String(decoding: try Checkout.bytes(path), as: UTF8.self).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInBlock.toggle()
                guard isInBlock else { continue }
                let words = line.dropFirst(3).split(separator: " ").map(String.init)
                blocks.append(Block(language: words.first ?? "", file: words.dropFirst().first, text: ""))
            } else if isInBlock {
                blocks[blocks.count - 1].text += line + "\n"
            } else {
                prose.append(line)
            }
        }
    }

    /// The anchors of the headings, as GitHub makes them: lower case, hyphens for spaces, and of the rest letters, digits,
    /// hyphens and underscores alone.
    package var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }
                .map { heading in
                    let text = heading.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                    return String(text.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
                }
        )
    }

    /// The targets of the page's links, as written.
    package var links: [String] {
        prose.flatMap { line in
            // Code contains no links.
            line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }
    }
}
