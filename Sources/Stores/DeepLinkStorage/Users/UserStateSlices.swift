/// The slices in which many states are written, so that other changes need not wait for all of them.
package enum UserStateSlices {
    /// The most writes of one slice: with SQLite some 5 ms.
    package static let size = 100

    /// The most writes that are all made or none, also if the store fails: with SQLite some 50 ms.
    package static let atomicSize = 1000

    /// The most writes of one slice of an import that no server waits for: with SQLite half a second.
    ///
    /// One commit writes each page of an index once, however many of the codes on it, which are random, are new.
    package static let importSize = 20_000

    /// Returns the size of the slices of so many writes that belong together.
    package static func size(of count: Int) -> Int { count <= atomicSize ? max(count, 1) : size }
}
