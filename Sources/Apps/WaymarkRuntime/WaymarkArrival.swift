// Waymark's runtime: links that reach the app over its installation. Standard library only.

/// The result of a search for a link that led to the installation of the app.
public nonisolated enum ArrivalFinding: Hashable, Sendable {
    /// The link, to be resolved like any other.
    case link(String)

    /// There is none: the installation has another cause.
    case absent

    /// There is one, and it isn't readable: it was cut off, or changed on its way.
    case malformed

    /// There is one, and it isn't the app's.
    case foreign

    /// There is one, and it is too old, or younger than the installation.
    case expired

    /// The link; `nil` for every other result.
    public var link: String? { if case .link(let link) = self { link } else { nil } }
}

/// The reader of links that led to the installation of the app.
///
/// It asks nobody and remembers nothing.
public nonisolated struct ArrivalReader: Sendable {
    /// The hosts of the catalog's https origins; `*.` in front of one stands for any label.
    public let hosts: [String]

    /// The longest time between the click and the reading, in seconds.
    public let maximumAge: Int64

    /// Creates a reader for the links of some hosts.
    public init(hosts: [String], maximumAge: Int64 = 7 * 86_400) {
        self.hosts = hosts.map { $0.lowercased() }
        self.maximumAge = maximumAge
    }

    /// Finds the link in the referrer of Google Play.
    ///
    /// - Parameters:
    ///   - referrer: the text of Play's `installReferrer`.
    ///   - clickedAt: its `referrerClickTimestampSeconds`; 0 if it is unknown.
    ///   - installedAt: its `installBeginTimestampSeconds`; 0 if it is unknown.
    ///   - now: the present, in seconds since 1970.
    /// - Returns: the link, or the reason why there is none.
    public func find(
        inReferrer referrer: String,
        clickedAt: Int64,
        installedAt: Int64,
        now: Int64
    ) -> ArrivalFinding {
        guard let value = Self.value(in: referrer) else { return .absent }
        let finding = finding(of: value)
        guard finding.link != nil else { return finding }
        if clickedAt > 0, installedAt > 0, clickedAt > installedAt { return .expired }
        let since = clickedAt > 0 ? clickedAt : installedAt
        return since > 0 && now - since > maximumAge ? .expired : finding
    }

    /// Returns the link in a text that a person pasted: the first word of it that is one of the app's links.
    public func find(inPasted text: String) -> ArrivalFinding {
        var best = ArrivalFinding.absent
        for word in text.unicodeScalars.split(whereSeparator: Self.isSpace) {
            switch finding(of: String(word)) {
            case .link(let link): return .link(link)
            case .absent, .expired: break
            case .malformed: if best == .absent { best = .malformed }
            case .foreign: best = .foreign
            }
        }
        return best
    }

    /// Returns the link that Safari's banner opened the app with.
    public func find(inBanner argument: String) -> ArrivalFinding { finding(of: argument) }

    // MARK: Reading

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{9}"..."\u{D}").contains(scalar) || scalar == " " || scalar == "\u{A0}"
    }

    /// Returns the value of `waymark`, still encoded; `nil` if there is none.
    ///
    /// Some senders encode the whole text once more.
    private static func value(in referrer: String) -> String? {
        var text = referrer
        for _ in 0..<3 {
            for pair in text.split(separator: "&") where pair.utf8.starts(with: "waymark=".utf8) {
                return String(pair.dropFirst("waymark=".count))
            }
            guard text.utf8.contains(UInt8(ascii: "%")), let decoded = decode(text) else { return nil }
            text = decoded
        }
        return nil
    }

    /// Classifies a text that is to be a link, percent-encoded or not.
    private func finding(of text: String) -> ArrivalFinding {
        var text = text
        for _ in 0..<3 where !Self.isAddress(text) {
            // An encoded address has its colon encoded; a link that is itself encoded inside stays as it is.
            guard Self.startsEncoded(text) else { return .absent }
            guard let decoded = Self.decode(text) else { return .malformed }
            text = decoded
        }
        guard Self.isAddress(text) else { return .absent }
        guard text.utf8.count <= 8_192, Self.isSound(text) else { return .malformed }
        let authority = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return isOwn(authority.lowercased()) ? .link(text) : .foreign
    }

    private func isOwn(_ host: String) -> Bool {
        hosts.contains { own in
            guard own.hasPrefix("*.") else { return own == host }
            let suffix = own.dropFirst()
            return host.hasSuffix(suffix) && !host.dropLast(suffix.count).isEmpty
                && !host.dropLast(suffix.count).contains(".")
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count > 8 && text.prefix(8).lowercased() == "https://"
    }

    private static func startsEncoded(_ text: String) -> Bool {
        let start = text.prefix(10).lowercased()
        return start.hasPrefix("https%3a") || start.hasPrefix("https%253a") || start.hasPrefix("https%25253a")
            || start == "https%2525"
    }

    /// Returns whether a text has no spaces, control characters and backslashes, and every percent sign two digits.
    private static func isSound(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            guard byte > 0x20, byte != 0x7F, byte != UInt8(ascii: "\\") else { return false }
            guard byte == UInt8(ascii: "%") else { continue }
            guard index + 2 < bytes.count, digit(bytes[index + 1]) != nil, digit(bytes[index + 2]) != nil else {
                return false
            }
        }
        return true
    }

    /// Decodes percent-encoding once; `nil` if it is cut off or isn't UTF-8.
    private static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// The record of the link that led to the installation of the app, so that it is opened once.
///
/// Store ``text`` after every change, outside of everything that signing out clears.
public nonisolated struct ArrivalRecord: Hashable, Sendable {
    /// The time of the installation that the record is about, in seconds since 1970; 0 for none.
    public private(set) var installedAt: Int64 = 0

    /// Whether nothing more is to be read for that installation.
    public private(set) var isSettled = false

    /// The time of the last click that was used, which no new installation opens again; 0 for none.
    public private(set) var clickedAt: Int64 = 0

    /// The link that was found, until it is handed over; `nil` for none.
    public private(set) var link: String?

    /// The time of the click on that link.
    private var linkClickedAt: Int64 = 0

    /// Creates the record of an app that has none.
    public init() {}

    /// Reads a stored record; a text in another format gives an empty one.
    public init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let installed = Int64(parts[0]), let clicked = Int64(parts[2]),
            let linkClicked = Int64(parts[3])
        else { return }
        (installedAt, isSettled, clickedAt, linkClickedAt) = (installed, parts[1] == "1", clicked, linkClicked)
        link = parts[4].isEmpty ? nil : String(parts[4])
    }

    /// The record in the format that is stored.
    public var text: String { "\(installedAt) \(isSettled ? 1 : 0) \(clickedAt) \(linkClickedAt) \(link ?? "")" }

    /// Notes a start of the app.
    ///
    /// A record that a backup brought from another installation counts for nothing but its last click. An update of an
    /// app that had no record is no installation.
    ///
    /// - Parameters:
    ///   - installedAt: the time of the installation, in seconds since 1970.
    ///   - updatedAt: the time of the last update; that of the installation if there was none.
    /// - Returns: whether the referrer is to be read.
    public mutating func start(installedAt: Int64, updatedAt: Int64) -> Bool {
        if installedAt != self.installedAt {
            self.installedAt = installedAt
            isSettled = updatedAt > installedAt
            (link, linkClickedAt) = (nil, 0)
        }
        return !isSettled
    }

    /// Notes what a reading found, and returns the link to open; `nil` for none.
    ///
    /// Do not call it if the reading failed: the next start tries again.
    public mutating func receive(_ finding: ArrivalFinding, clickedAt: Int64 = 0) -> String? {
        guard !isSettled else { return nil }
        guard let found = finding.link, clickedAt == 0 || clickedAt != self.clickedAt else {
            settle()
            return nil
        }
        (link, linkClickedAt) = (found, clickedAt)
        return found
    }

    /// Notes that the link was handed over: resolved and shown, or refused at a gate that the app has kept it for.
    public mutating func handedOver() { settle() }

    /// Notes that a link opened the app itself, which counts more than one that led to the installation.
    public mutating func openedByLink() { settle() }

    /// Notes that the user signed out: a link that was found for them is for nobody else.
    public mutating func signedOut() { if link != nil { settle() } }

    private mutating func settle() {
        if link != nil, linkClickedAt > 0 { clickedAt = linkClickedAt }
        isSettled = true
        (link, linkClickedAt) = (nil, 0)
    }
}
