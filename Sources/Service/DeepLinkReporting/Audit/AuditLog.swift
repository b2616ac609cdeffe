/// A log of changes, with a line for each.
package protocol AuditLog: Sendable {
    /// Writes lines, in their order.
    ///
    /// The changes are made already and stay made: lines that cannot be written are counted as lost. When this returns,
    /// the system has the lines, or they are lost; a log on a stream that nobody waits for may still hold a bounded
    /// number.
    func write(_ entries: [AuditEntry]) async
}
