/// The pace at which keys are read again.
struct RefreshPace: Sendable {
    /// The time between two readings.
    let interval: Duration

    /// The least time between two further readings for the sake of unknown keys: anyone can make up a `kid`, and must
    /// not be able to make this service fetch at will.
    var spacing = Duration.seconds(10)
}
