import WaymarkCommands

/// Metrics in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4).
struct PrometheusText {
    private(set) var bytes: [UInt8] = []

    /// Writes the description of a metric, before its samples.
    mutating func describe(_ name: String, help: String, type: String) {
        write("# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n")
    }

    /// Writes one sample.
    mutating func sample(_ name: String, labels: [MetricLabel], value: Double) {
        write(name)
        if !labels.isEmpty {
            write("{")
            for (index, label) in labels.enumerated() {
                write("\(index == 0 ? "" : ",")\(label.name)=\"\(Self.escaped(label.value, quotes: true))\"")
            }
            write("}")
        }
        write(" \(Self.number(value))\n")
    }

    /// Returns a number as text, without a superfluous fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
