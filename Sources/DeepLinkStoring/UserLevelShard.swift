import DeepLinkCore

/// Some of the users of a ``UserLevelCache``, with a count of the changes that concern them.
struct UserLevelShard {
    private struct Entry {
        let user: UserID
        var grant: LevelGrant?

        /// The version that the grant is of, or an earlier one; 0 where it is not known.
        var version: Int

        /// Whether the user was asked for since the hand came by.
        var isUsed = false

        /// The moment from which on it is not known whether the grant was replaced, or what by; `nil` for none.
        ///
        /// In nanoseconds. From then on the grant counts for those alone who may be told what was.
        var doubtfulSince: Int64?
    }

    /// A count of the changes of some users: a change of one of them makes tickets of the others void, which costs a read.
    private struct Stripe {
        var changeCount: UInt32 = 0

        /// The number of changes in a transaction that is being committed.
        var openCount: UInt32 = 0
    }

    private static let stripeCount = 32

    private var stripes = [Stripe](repeating: Stripe(), count: stripeCount)
    private var entries: [Entry] = []
    private var places: [UserID: Int32] = [:]

    /// The place at which the search for a user to forget goes on.
    private var hand = 0

    /// The number of users that are remembered.
    var count: Int { entries.count }

    /// Looks a user up; `hash` is any hash of the id.
    ///
    /// While a change is being committed, somebody may have read it already: nobody may be told of the state before it
    /// any more.
    mutating func find(_ user: UserID, hash: Int, atLeast version: Int) -> UserLevelFinding {
        guard stripes[Self.stripe(hash)].openCount == 0, let place = places[user],
            entries[Int(place)].version >= version, entries[Int(place)].doubtfulSince == nil
        else { return .mustLoad(ticket(hash)) }
        entries[Int(place)].isUsed = true
        return .known(entries[Int(place)].grant)
    }

    /// Looks up what was known of a user, also while a change is being committed, and where it was replaced after a moment.
    func findFormer(_ user: UserID, hash: Int, atLeast version: Int, since moment: Moment) -> UserLevelFinding {
        guard let place = places[user], entries[Int(place)].version >= version,
            entries[Int(place)].doubtfulSince.map({ $0 >= moment.nanoseconds }) ?? true
        else { return .mustLoad(ticket(hash)) }
        return .known(entries[Int(place)].grant)
    }

    /// Notes that a user's grant may have been replaced, or was, and keeps it for those who may be told what was.
    mutating func doubt(_ user: UserID, hash: Int, from moment: Moment) {
        stripes[Self.stripe(hash)].changeCount &+= 1
        guard let place = places[user], entries[Int(place)].doubtfulSince == nil else { return }
        entries[Int(place)].doubtfulSince = moment.nanoseconds
    }

    /// Notes the same of all users.
    mutating func doubtAll(from moment: Moment) {
        for index in stripes.indices { stripes[index].changeCount &+= 1 }
        for index in entries.indices where entries[index].doubtfulSince == nil {
            entries[index].doubtfulSince = moment.nanoseconds
        }
    }

    /// Returns a ticket for a read that begins now.
    func ticket(_ hash: Int) -> UserLevelTicket {
        UserLevelTicket(hash: hash, changeCount: stripes[Self.stripe(hash)].changeCount)
    }

    /// Returns whether what was read with a ticket may be remembered.
    func accepts(_ ticket: UserLevelTicket) -> Bool {
        let stripe = stripes[Self.stripe(ticket.hash)]
        return stripe.changeCount == ticket.changeCount && stripe.openCount == 0
    }

    /// Replaces what is remembered of a user.
    ///
    /// - Returns: whether anything was.
    mutating func replace(_ user: UserID, by grant: LevelGrant?, _ version: Int) -> Bool {
        guard let place = places[user] else { return false }
        entries[Int(place)].grant = grant
        entries[Int(place)].version = version
        entries[Int(place)].doubtfulSince = nil
        return true
    }

    /// Remembers a user of whom nothing is remembered.
    mutating func append(_ user: UserID, _ grant: LevelGrant?, _ version: Int) {
        places[user] = Int32(entries.count)
        entries.append(Entry(user: user, grant: grant, version: version))
    }

    /// Remembers a user in place of one who was not asked for lately (second chance); does nothing where there is none.
    mutating func supplant(_ user: UserID, _ grant: LevelGrant?, _ version: Int) {
        guard !entries.isEmpty else { return }
        // Ends: the hand clears what it passes.
        while entries[hand].isUsed {
            entries[hand].isUsed = false
            hand = (hand + 1) % entries.count
        }
        places[entries[hand].user] = nil
        places[user] = Int32(hand)
        entries[hand] = Entry(user: user, grant: grant, version: version)
        hand = (hand + 1) % entries.count
    }

    /// Notes that a transaction with a change of a user is about to be committed: what was read before may be old
    /// afterwards.
    mutating func open(hash: Int) {
        let stripe = Self.stripe(hash)
        stripes[stripe].openCount += 1
        stripes[stripe].changeCount &+= 1
    }

    /// Notes that such a transaction is over: what was read before may be old.
    mutating func close(hash: Int) {
        let stripe = Self.stripe(hash)
        stripes[stripe].openCount -= 1
        stripes[stripe].changeCount &+= 1
    }

    /// Forgets a user, and what is being read of that one.
    ///
    /// - Returns: whether anything was remembered.
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

    /// Forgets all users, and what is being read, and gives the memory back.
    mutating func forgetAll() {
        for stripe in stripes.indices { stripes[stripe].changeCount &+= 1 }
        entries = []
        places = [:]
        hand = 0
    }

    private static func stripe(_ hash: Int) -> Int { hash & (stripeCount - 1) }
}
