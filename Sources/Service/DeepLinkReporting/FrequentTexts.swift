package import DeepLinkCore

/// The most frequent of any number of texts, in bounded memory: Space-Saving (Metwally, Agrawal and El Abbadi,
/// "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005).
///
/// With room for *m* texts, after counting *n*:
/// - every text that occurred more than *n/m* times is included,
/// - a count is never too low, and too high by ``Entry/error`` at most. The error is *n/m* at most.
package struct FrequentTexts: Sendable {
    /// A text with its frequency.
    package struct Entry: Sendable {
        /// The text as it was counted.
        package let text: ByteText

        /// The upper bound of its frequency.
        package fileprivate(set) var count: Int

        /// The maximum by which the count may be too high.
        package let error: Int

        /// Returns the most frequent entries, in descending order.
        static func top(_ count: Int, of entries: [Entry]) -> [Entry] {
            Array(entries.sorted { ($1.count, $0.text) < ($0.count, $1.text) }.prefix(count))
        }
    }

    /// The maximum number of distinguished texts.
    package let capacity: Int

    /// A heap with the least frequent text at its root.
    private var counters: [Entry] = []
    private var places: [ByteText: Int] = [:]

    /// The total number of counted texts, including repetitions.
    package private(set) var total = 0

    /// Creates empty counts.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Counts an occurrence of a text.
    ///
    /// - Complexity: logarithmic in the capacity.
    package mutating func count(_ text: ByteText) {
        total += 1
        if let place = places[text] {
            counters[place].count += 1
            sink(place)
        } else if counters.count < capacity {
            counters.append(Entry(text: text, count: 1, error: 0))
            places[text] = counters.count - 1
            rise(counters.count - 1)
        } else if let least = counters.first {
            // It replaces the least frequent text and takes over its count, by which the new count may be too high.
            places[least.text] = nil
            counters[0] = Entry(text: text, count: least.count + 1, error: least.count)
            places[text] = 0
            sink(0)
        }
    }

    /// Returns the most frequent texts, in descending order.
    package func top(_ count: Int) -> [Entry] {
        Entry.top(count, of: counters)
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        counters.swapAt(one, other)
        places[counters[one].text] = one
        places[counters[other].text] = other
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, counters[place].count < counters[(place - 1) / 2].count {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < counters.count }
            guard let least = children.min(by: { counters[$0].count < counters[$1].count }),
                counters[least].count < counters[place].count
            else { return }
            swap(place, least)
            place = least
        }
    }
}
