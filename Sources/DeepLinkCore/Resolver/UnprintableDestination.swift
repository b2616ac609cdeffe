/// Names the first destination of a stack that no link opens.
struct UnprintableDestination: Error {
    /// Its place in the stack, from 0.
    let index: Int
}
