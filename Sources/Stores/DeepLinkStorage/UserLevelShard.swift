import DeepLinkCore

/// A part of the users of a ``UserLevelCache``, with counts of the changes that concern them.
struct UserLevelShard {
    private struct Entry {
        let user: UserID
        var access: UserAccess?

        /// The version of the user or an earlier one, or 0 if unknown.
        var version: Int

        /// Whether the user was looked up since the clock hand passed.
        var isUsed = false

        /// The time since which the entry may have been replaced, in nanoseconds, or `nil` if it is current.
        ///
        /// From then on the entry is only for callers that accept a former one.
        var doubtfulSince: Int64?
    }

    /// The changes of some users.
    ///
    /// A change of one of them invalidates the tickets of the others, which costs a read.
    private struct Stripe {
        var changeCount: UInt32 = 0

        /// The number of changes in a transaction that is being committed.
        var openCount: UInt32 = 0
    }

    private static let stripeCount = 32

    private var stripes = [Stripe](repeating: Stripe(), count: stripeCount)
    private var entries: [Entry] = []
    private var places: [UserID: Int32] = [:]

    /// The clock hand: the position at which the search for a user to evict continues.
    private var hand = 0

    /// The number of cached users.
    var count: Int { entries.count }

    /// Returns the entry of a user.
    ///
    /// `hash` is any hash of the id.
    ///
    /// While a change is being committed, another caller may already have read it, so the state before it must no
    /// longer be returned.
    mutating func find(_ user: UserID, hash: Int, atLeast version: Int) -> UserLevelFinding {
        guard stripes[Self.stripe(hash)].openCount == 0, let place = places[user],
            entries[Int(place)].version >= version, entries[Int(place)].doubtfulSince == nil
        else { return .mustLoad(ticket(hash)) }
        entries[Int(place)].isUsed = true
        return .known(entries[Int(place)].access)
    }

    /// Returns the former entry of a user, even while a change is being committed, if it was replaced after a time.
    func findFormer(_ user: UserID, hash: Int, atLeast version: Int, since instant: MonotonicInstant)
        -> UserLevelFinding
    {
        guard let place = places[user], entries[Int(place)].version >= version,
            entries[Int(place)].doubtfulSince.map({ $0 >= instant.nanoseconds }) ?? true
        else { return .mustLoad(ticket(hash)) }
        return .known(entries[Int(place)].access)
    }

    /// Marks a user's entry as possibly replaced, and keeps it for callers that accept a former one.
    mutating func doubt(_ user: UserID, hash: Int, from instant: MonotonicInstant) {
        stripes[Self.stripe(hash)].changeCount &+= 1
        guard let place = places[user], entries[Int(place)].doubtfulSince == nil else { return }
        entries[Int(place)].doubtfulSince = instant.nanoseconds
    }

    /// Marks the entries of all users as possibly replaced.
    mutating func doubtAll(from instant: MonotonicInstant) {
        for index in stripes.indices { stripes[index].changeCount &+= 1 }
        for index in entries.indices where entries[index].doubtfulSince == nil {
            entries[index].doubtfulSince = instant.nanoseconds
        }
    }

    /// Returns a ticket for a read that begins now.
    func ticket(_ hash: Int) -> UserLevelTicket {
        UserLevelTicket(hash: hash, changeCount: stripes[Self.stripe(hash)].changeCount)
    }

    /// Returns whether a result read with a ticket may be cached.
    func accepts(_ ticket: UserLevelTicket) -> Bool {
        let stripe = stripes[Self.stripe(ticket.hash)]
        return stripe.changeCount == ticket.changeCount && stripe.openCount == 0
    }

    /// Replaces the entry of a user.
    ///
    /// - Returns: Whether there was one.
    mutating func replace(_ user: UserID, by access: UserAccess?, version: Int) -> Bool {
        guard let place = places[user] else { return false }
        entries[Int(place)].access = access
        entries[Int(place)].version = version
        entries[Int(place)].doubtfulSince = nil
        return true
    }

    /// Adds a user without an entry.
    mutating func append(_ user: UserID, access: UserAccess?, version: Int) {
        places[user] = Int32(entries.count)
        entries.append(Entry(user: user, access: access, version: version))
    }

    /// Replaces a user that wasn't looked up lately (second chance).
    ///
    /// Does nothing if there are no users.
    mutating func supplant(_ user: UserID, access: UserAccess?, version: Int) {
        guard !entries.isEmpty else { return }
        // Terminates: the clock hand clears each bit it passes.
        while entries[hand].isUsed {
            entries[hand].isUsed = false
            hand = (hand + 1) % entries.count
        }
        places[entries[hand].user] = nil
        places[user] = Int32(hand)
        entries[hand] = Entry(user: user, access: access, version: version)
        hand = (hand + 1) % entries.count
    }

    /// Records that a transaction with a change of a user is about to be committed.
    ///
    /// Results read before may be outdated afterwards.
    mutating func open(hash: Int) {
        let stripe = Self.stripe(hash)
        stripes[stripe].openCount += 1
        stripes[stripe].changeCount &+= 1
    }

    /// Records that such a transaction has ended.
    ///
    /// Results read before may be outdated.
    mutating func close(hash: Int) {
        let stripe = Self.stripe(hash)
        stripes[stripe].openCount -= 1
        stripes[stripe].changeCount &+= 1
    }

    /// Removes a user, and invalidates reads of that user in progress.
    ///
    /// - Returns: Whether there was an entry.
    mutating func forget(_ user: UserID, hash: Int) -> Bool {
        stripes[Self.stripe(hash)].changeCount &+= 1
        guard let place = places.removeValue(forKey: user).map(Int.init) else { return false }
        let last = entries.removeLast()
        if place < entries.count {
            entries[place] = last
            places[last.user] = Int32(place)
        }
        if hand >= entries.count { hand = 0 }
        return true
    }

    /// Removes all users, invalidates all reads in progress, and frees the memory.
    mutating func forgetAll() {
        for stripe in stripes.indices { stripes[stripe].changeCount &+= 1 }
        entries = []
        places = [:]
        hand = 0
    }

    private static func stripe(_ hash: Int) -> Int { hash & (stripeCount - 1) }
}

/// The result of a lookup in a ``UserLevelCache``.
package enum UserLevelFinding {
    /// The user's access, or `nil` for a user without a state.
    case known(UserAccess?)

    /// There is no entry. Once the access is read, it may be cached with the ticket.
    case mustLoad(UserLevelTicket)
}

/// A ticket: the read may be cached unless a change of the user was in progress or has begun since.
package struct UserLevelTicket: Sendable {
    let hash: Int
    let changeCount: UInt32
}
