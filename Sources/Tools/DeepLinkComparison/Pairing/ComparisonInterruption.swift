package import DeepLinkCore

/// The check between the steps of a comparison whether to go on.
package typealias ComparisonInterruption = Interruption
