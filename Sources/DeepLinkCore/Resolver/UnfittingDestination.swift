/// Names the first destination of a client's stack that the catalog does not have there.
struct UnfittingDestination: Error {
    /// Its place in the stack, from 0.
    let index: Int

    /// What does not fit, as a sentence.
    let message: String
}
