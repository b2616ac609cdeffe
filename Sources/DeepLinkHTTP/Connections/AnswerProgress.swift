/// Says how far an answer has got.
enum AnswerProgress {
    /// Nothing of it is written.
    case waiting

    /// Its head is written, and the connection goes on after it.
    case begun

    /// Its head is written, and says that the connection ends with it.
    case begunAsLast
}
