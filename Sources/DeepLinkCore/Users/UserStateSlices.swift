/// The slices in which many states are written, so that other changes need not wait for all of them.
public enum UserStateSlices {
    /// The most writes of one slice: with SQLite some 10 ms.
    public static let size = 200
}
