extension Edge {
    /// Returns whether every destination that comes this way has a value of a parameter: the path holds it, the query
    /// has to, it is fixed, or there is a default.
    public func alwaysHas(parameter index: Int) -> Bool {
        isRequired(parameter: index) || parameters[index].fixedValue != nil || parameters[index].defaultValue != nil
    }
}
