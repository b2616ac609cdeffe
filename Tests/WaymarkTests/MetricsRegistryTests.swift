import CoreMetrics
import DeepLinkHTTP
import Testing
import WaymarkCommands
import WaymarkServer

@Suite struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    private var lines: [String] {
        String(decoding: registry.text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a counter has one series for each combination of labels, in order`() {
        let label = ServiceMetric.requests.rawValue
        for status in ["404", "200", "200"] {
            Counter(label: label, dimensions: [("status", status), ("method", "GET")], factory: registry).increment()
        }
        #expect(
            lines.filter { $0.contains("waymark_http_requests_total") } == [
                "# HELP waymark_http_requests_total \(ServiceMetric.requests.help)",
                "# TYPE waymark_http_requests_total counter",
                #"waymark_http_requests_total{method="GET",status="200"} 2"#,
                #"waymark_http_requests_total{method="GET",status="404"} 1"#,
            ]
        )
    }

    @Test func `a timer is a histogram of seconds, each bucket with those below it`() {
        let timer = Timer(label: "wait", dimensions: [], factory: registry)
        for nanoseconds in [50_000, 3_000_000, 3_000_000, 20_000_000_000] as [Int64] {
            timer.recordNanoseconds(nanoseconds)
        }
        let samples = lines.filter { $0.hasPrefix("wait_seconds") }
        #expect(samples.contains(#"wait_seconds_bucket{le="0.0001"} 1"#))
        #expect(samples.contains(#"wait_seconds_bucket{le="0.0025"} 1"#))
        #expect(samples.contains(#"wait_seconds_bucket{le="0.005"} 3"#))
        #expect(samples.contains(#"wait_seconds_bucket{le="10"} 3"#))
        #expect(samples.contains(#"wait_seconds_bucket{le="+Inf"} 4"#))
        #expect(samples.contains("wait_seconds_sum 20.00605"))
        #expect(samples.contains("wait_seconds_count 4"))
    }

    @Test func `a counter of fractions is a counter, and starts at zero`() {
        let counter = FloatingPointCounter(label: "time", dimensions: [], factory: registry)
        #expect(lines.contains("# TYPE time_total counter") && lines.contains("time_total 0"))
        counter.increment(by: 0.25)
        counter.increment(by: 1.5)
        #expect(lines.contains("time_total 1.75"))
        counter.reset()
        #expect(lines.contains("time_total 0"))
    }

    @Test func `a recorder that does not aggregate is a gauge`() {
        let gauge = Gauge(label: "waymark_store_wal_bytes", dimensions: [], factory: registry)
        gauge.record(7)
        gauge.record(2.5)
        #expect(lines.contains("waymark_store_wal_bytes 2.5"))
    }

    @Test func `names and values of libraries become ones that Prometheus takes`() {
        Counter(label: "http.client-calls", dimensions: [("the path", "a\"b\\c\nd")], factory: registry).increment()
        #expect(lines.contains(#"http_client_calls_total{the_path="a\"b\\c\nd"} 1"#))
        #expect(lines.contains("# HELP http_client_calls_total A metric of a library."))
    }

    @Test func `what is destroyed is gone`() {
        let gauge = Gauge(label: "old", dimensions: [("version", "1")], factory: registry)
        gauge.record(1)
        #expect(lines.contains(#"old{version="1"} 1"#))
        gauge.destroy()
        #expect(!lines.contains { $0.contains("old") })
    }

    @Test func `a name stands for one type, and another is counted as not kept`() {
        Counter(label: "things_total", dimensions: [], factory: registry).increment(by: 3)
        Gauge(label: "things_total", dimensions: [], factory: registry).record(9)
        Gauge(label: "things_total", dimensions: [("a", "b")], factory: registry).record(9)
        #expect(lines.filter { $0.hasPrefix("things_total") } == ["things_total 3"])
        #expect(lines.contains("waymark_metrics_not_kept_total 1"))
    }

    @Test func `however many series there are, so many are kept`() {
        for number in 0..<MetricsRegistry.maximumSeriesCount + 5 {
            Counter(label: "many", dimensions: [("number", String(number))], factory: registry).increment()
        }
        #expect(lines.filter { $0.hasPrefix("many_total") }.count == MetricsRegistry.maximumSeriesCount)
        #expect(lines.contains("waymark_metrics_not_kept_total 5"))
    }

    @Test func `gauges are brought up to date before they are read`() {
        let gauge = Gauge(label: "now", dimensions: [], factory: registry)
        registry.beforeText { gauge.record(42) }
        #expect(lines.contains("now 42"))
    }
}
