/// The grants that a catalog declares, with their names.
///
/// Users' grants are stored by name, and a list turns the names into a set when a user's grants are read. A former name
/// (`was`) is read as the present one. The order of the declaration has no effect.
package final class GrantList: Sendable {
    /// The maximum number of grants in a catalog.
    package static let maximumCount = 32

    /// The list of a catalog without grants.
    package static let none = GrantList([])

    /// The names, in the order of the declaration.
    package let names: [GrantName]

    /// The former names, with the grants that they name now.
    package let formerNames: [(name: GrantName, grant: Grant)]

    /// The grants that only the app asserts (`from: app`).
    package let fromApp: GrantSet

    /// The grants in the order of their gates, then the grants without a gate: the order of every list of grants in a
    /// response.
    private let order: [Grant]

    /// Creates a list of at most ``maximumCount`` distinct names.
    package init(
        _ names: [GrantName],
        formerNames: [(name: GrantName, grant: Grant)] = [],
        fromApp: GrantSet = [],
        gates: [Grant] = []
    ) {
        self.names = Array(names.prefix(Self.maximumCount))
        self.formerNames = formerNames
        self.fromApp = fromApp
        order = gates + self.names.indices.map { Grant(place: UInt8($0)) }.filter { !gates.contains($0) }
    }

    /// Returns the same list, ordered by the given gates.
    package func ordered(by gates: [Grant]) -> GrantList {
        GrantList(names, formerNames: formerNames, fromApp: fromApp, gates: gates)
    }

    /// Whether there are no grants.
    package var isEmpty: Bool { names.isEmpty }

    /// The grants, in the order of their gates, then the grants without a gate.
    package var all: [Grant] { order }

    /// The grants that the server stores for users: all except the grants that the app asserts.
    package var stored: [Grant] { order.filter { !fromApp.contains($0) } }

    /// Returns the names of some grants as a list for messages, each between two quotation marks.
    package func list(_ grants: [Grant]? = nil, quote: String = "") -> String {
        (grants ?? order).map { quote + text(of: $0) + quote }.joined(separator: ", ")
    }

    // MARK: From a grant to its name

    /// Returns the text of a grant's name, empty if the list doesn't have the grant.
    package func text(of grant: Grant) -> String {
        names.indices.contains(Int(grant.place)) ? names[Int(grant.place)].text : ""
    }

    /// Returns the texts of the names of some grants, in the order of their gates.
    package func texts(of grants: GrantSet) -> [String] {
        order.lazy.filter(grants.contains).map(text(of:))
    }

    // MARK: From a name to its grant

    /// Returns the grant of a present or former name, or `nil` if the list doesn't have it.
    package func grant(named text: String) -> Grant? { grant(text.bytewise) }

    /// Returns the grant of a present or former name, or `nil` if the list doesn't have it.
    package func grant(named name: GrantName) -> Grant? { grant(name.text.bytewise) }

    private func grant(_ name: ByteText) -> Grant? {
        for place in names.indices where names[place].text.bytewise == name {
            return Grant(place: UInt8(truncatingIfNeeded: place))
        }
        return formerNames.isEmpty ? nil : formerNames.first { $0.name.text.bytewise == name }?.grant
    }

    /// Returns the grants of some present or former names, ignoring unknown names.
    package func set(_ names: some Sequence<GrantName>) -> GrantSet {
        names.reduce(into: GrantSet()) { set, name in
            if let grant = grant(named: name) { set.insert(GrantSet(grant)) }
        }
    }

    /// Returns the grants of the same names in another list, without grants that the other list lacks.
    package func counterparts(of grants: GrantSet, in other: GrantList) -> GrantSet {
        other.set(grants.grants.compactMap { names.indices.contains(Int($0.place)) ? names[Int($0.place)] : nil })
    }
}

extension GrantList: Equatable {
    /// Compares the names with the former ones, the grants that the app asserts, and the order of the gates.
    package static func == (left: GrantList, right: GrantList) -> Bool {
        left === right
            || left.names == right.names && left.fromApp == right.fromApp && left.order == right.order
                && left.formerNames.map { $0.name } == right.formerNames.map { $0.name }
                && left.formerNames.map { $0.grant } == right.formerNames.map { $0.grant }
    }
}

/// The name of a grant: an ASCII letter, then up to 63 ASCII letters, digits, underscores and hyphens.
///
/// Names are compared as bytes.
package struct GrantName: Hashable, Sendable {
    /// The name as text.
    package let text: String

    /// Creates a name, or returns `nil` if the text doesn't have the form of a name.
    package init?(_ text: String) {
        guard NameForm.accepts(text) else { return nil }
        self.text = text
    }

    /// Compares the bytes of the names.
    package static func == (left: GrantName, right: GrantName) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}

/// The form of the names of levels and grants: a letter, then up to 63 letters, digits, underscores and hyphens, all
/// ASCII.
enum NameForm {
    /// The maximum length of a name, in bytes.
    static let maximumByteCount = 64

    /// The form, in words.
    static let words = "a letter, then up to \(maximumByteCount - 1) letters, digits, underscores and hyphens"

    /// Returns whether a text has the form.
    static func accepts(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= maximumByteCount else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
