import CoreMetrics
import HTTPTypes
import NIOCore

/// The labels by which answers are counted separately.
struct AnswerLabels: Equatable {
    let status: Int
    let method: HTTPRequest.Method?

    /// The path of the endpoint with the names in it, or its replacement.
    let endpoint: String
}

/// The series in which answers with the same labels are counted.
final class AnswerSeries {
    let labels: AnswerLabels
    private let count: Counter
    private let durations: Timer

    init(labels: AnswerLabels, count: Counter, durations: Timer) {
        self.labels = labels
        self.count = count
        self.durations = durations
    }

    /// Counts an answer.
    func note(_ duration: TimeAmount) {
        count.increment()
        durations.recordNanoseconds(duration.nanoseconds)
    }
}

/// Some of the series of the answers that a connection has given: looking one up by its texts costs more than the rest
/// of the counting.
struct KnownAnswerSeries {
    /// The maximum number of series of a connection; others are looked up each time.
    private static let maximumCount = 8

    private var known: [AnswerSeries] = []

    /// Counts an answer.
    mutating func note(_ labels: AnswerLabels, duration: TimeAmount, in metrics: ServiceMetrics) {
        if let series = known.first(where: { $0.labels == labels }) { return series.note(duration) }
        let series = metrics.answers(labels)
        if known.count < Self.maximumCount { known.append(series) }
        series.note(duration)
    }
}
