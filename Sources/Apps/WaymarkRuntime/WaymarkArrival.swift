// Waymark's runtime: deferred deep links, which were opened before the app was installed. Standard library only.

/// The result of a search for a deferred deep link.
public nonisolated enum ArrivalFinding: Hashable, Sendable {
    /// The link, to be resolved like any other.
    case link(String)

    /// Nothing was found: the installation has another cause.
    case absent

    /// The link isn't readable, because it was cut off or changed on its way.
    case malformed

    /// The link belongs to another app.
    case foreign

    /// The link is too old, or newer than the installation.
    case expired

    /// The link, or `nil` for every other result.
    public var link: String? { if case .link(let link) = self { link } else { nil } }
}

/// The reader of deferred deep links.
///
/// It makes no requests and stores nothing.
public nonisolated struct ArrivalReader: Sendable {
    /// The hosts of the catalog's https origins.
    ///
    /// A leading `*.` stands for any one label.
    public let hosts: [String]

    /// The maximum time between the click and the reading, in seconds.
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
    ///   - clickedAt: its `referrerClickTimestampSeconds`, or 0 if it is unknown.
    ///   - installedAt: its `installBeginTimestampSeconds`, or 0 if it is unknown.
    ///   - now: the current time, in seconds since 1970.
    /// - Returns: the link, or the reason why none was found.
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

    /// Finds the link in a pasted text: the first word that is a link of the app.
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

    /// Finds the link with which Safari's banner opened the app.
    public func find(inBanner argument: String) -> ArrivalFinding { finding(of: argument) }

    // MARK: Reading

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{9}"..."\u{D}").contains(scalar) || scalar == " " || scalar == "\u{A0}"
    }

    /// Returns the value of `waymark`, still encoded, or `nil` if it is absent.
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

    /// Classifies a text that should be a link, percent-encoded or not.
    private func finding(of text: String) -> ArrivalFinding {
        var text = text
        for _ in 0..<3 where !Self.isAddress(text) {
            // An encoded address has its colon encoded. A link with encoded parts stays as it is.
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

    /// Returns whether a text is free of spaces, control characters and backslashes, and each percent sign has two
    /// digits.
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

    /// Decodes percent-encoding once, or returns `nil` if it is cut off or isn't UTF-8.
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

/// The record of the deferred deep link, so that the link is opened only once.
///
/// Store ``text`` after every change, in a place that signing out doesn't clear.
public nonisolated struct ArrivalRecord: Hashable, Sendable {
    /// The time of the recorded installation, in seconds since 1970, or 0 if none is recorded.
    public private(set) var installedAt: Int64 = 0

    /// Whether the search for the link of that installation is complete.
    public private(set) var isSettled = false

    /// The time of the last used click, or 0.
    ///
    /// A new installation doesn't open its link again.
    public private(set) var clickedAt: Int64 = 0

    /// The link that was found, until it is handed over, or `nil`.
    public private(set) var link: String?

    /// The time of the click on that link.
    private var linkClickedAt: Int64 = 0

    /// Creates an empty record.
    public init() {}

    /// Reads a stored record.
    ///
    /// A text in another format gives an empty record.
    public init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let installed = Int64(parts[0]), let clicked = Int64(parts[2]),
            let linkClicked = Int64(parts[3])
        else { return }
        (installedAt, isSettled, clickedAt, linkClickedAt) = (installed, parts[1] == "1", clicked, linkClicked)
        link = parts[4].isEmpty ? nil : String(parts[4])
    }

    /// The record in the stored format.
    public var text: String { "\(installedAt) \(isSettled ? 1 : 0) \(clickedAt) \(linkClickedAt) \(link ?? "")" }

    /// Records a launch of the app.
    ///
    /// Of a record from the backup of another installation, only the last click is kept. The update of an app without a
    /// record doesn't count as an installation.
    ///
    /// - Parameters:
    ///   - installedAt: the time of the installation, in seconds since 1970.
    ///   - updatedAt: the time of the last update, or of the installation if the app was never updated.
    /// - Returns: whether the referrer must be read.
    public mutating func start(installedAt: Int64, updatedAt: Int64) -> Bool {
        if installedAt != self.installedAt {
            self.installedAt = installedAt
            isSettled = updatedAt > installedAt
            (link, linkClickedAt) = (nil, 0)
        }
        return !isSettled
    }

    /// Records the result of a search, and returns the link to open, or `nil`.
    ///
    /// Do not call it if the search failed. The next launch tries again.
    public mutating func receive(_ finding: ArrivalFinding, clickedAt: Int64 = 0) -> String? {
        guard !isSettled else { return nil }
        guard let found = finding.link, clickedAt == 0 || clickedAt != self.clickedAt else {
            settle()
            return nil
        }
        (link, linkClickedAt) = (found, clickedAt)
        return found
    }

    /// Records that the link was handed over: resolved and shown, or refused at a gate and kept by the app.
    public mutating func handedOver() { settle() }

    /// Records that a link opened the app itself.
    ///
    /// It takes precedence over a deferred deep link.
    public mutating func openedByLink() { settle() }

    /// Records that the user signed out, so that the user's link is not opened for another user.
    public mutating func signedOut() { if link != nil { settle() } }

    private mutating func settle() {
        if link != nil, linkClickedAt > 0 { clickedAt = linkClickedAt }
        isSettled = true
        (link, linkClickedAt) = (nil, 0)
    }
}
