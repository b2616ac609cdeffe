import DeepLinkCore

/// The addresses of all links, with the number of links of each.
struct OriginTally {
    /// The links of one address.
    struct Count {
        /// The number of links.
        var links = 0

        /// The number of links whose fragment begins with a slash.
        var fragmentPaths = 0

        /// A sample of the first segments, as hashes.
        var firstSegments = HashSample(maximumCount: 32)
    }

    /// The largest number of addresses that are counted one by one.
    ///
    /// Beyond it, a sample that does not depend on the order of the links is kept.
    static let maximumAddressCount = 4096

    private(set) var counts: [LinkAddress: Count] = [:]

    /// The number of all links.
    private(set) var linkCount = 0

    private var largestHash = UInt64.max

    mutating func note(_ link: DeepLink) {
        linkCount += 1
        let address = LinkAddress(link)
        guard Self.hash(address) <= largestHash else { return }
        var count = counts[address] ?? Count()
        count.links += 1
        let fragment = link.fragmentReference
        if fragment != nil { count.fragmentPaths += 1 }
        let path = fragment != nil && link.segments.isEmpty ? fragment?.segments : link.segments
        if let first = path?.first { count.firstSegments.insert(StableHash.hash(first)) }
        counts[address] = count
        guard counts.count > Self.maximumAddressCount else { return }
        let hashes = counts.keys.map(Self.hash).sorted()
        largestHash = hashes[Self.maximumAddressCount - 1]
        counts = counts.filter { Self.hash($0.key) <= largestHash }
    }

    private static func hash(_ address: LinkAddress) -> UInt64 {
        StableHash.hash(address.scheme, seed: StableHash.hash(address.host, seed: address.isRootless ? 1 : 0))
    }
}

/// The smallest hashes of a set of texts: a sample that does not depend on their order.
struct HashSample {
    private let maximumCount: Int
    private(set) var hashes: [UInt64] = []

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// The number of texts in the set, estimated by the largest hash if the sample is full.
    var estimatedCount: Double {
        guard hashes.count == maximumCount, let last = hashes.last else { return Double(hashes.count) }
        return Double(maximumCount - 1) / (Double(last) / Double(UInt64.max))
    }

    mutating func insert(_ hash: UInt64) {
        guard hashes.count < maximumCount || hash < hashes[maximumCount - 1] else { return }
        let place = hashes.firstIndex { $0 >= hash } ?? hashes.count
        guard place == hashes.count || hashes[place] != hash else { return }
        hashes.insert(hash, at: place)
        if hashes.count > maximumCount { hashes.removeLast() }
    }
}
