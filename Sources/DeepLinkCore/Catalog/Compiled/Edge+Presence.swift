extension Edge {
    /// Returns whether every destination of this edge has a value of a parameter: from the path, from a required query
    /// key, fixed or by default.
    package func alwaysHas(parameter index: Int) -> Bool {
        isRequired(parameter: index) || parameters[index].fixedValue != nil || parameters[index].defaultValue != nil
    }
}
