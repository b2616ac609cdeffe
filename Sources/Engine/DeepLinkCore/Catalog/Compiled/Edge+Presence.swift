extension Edge {
    /// Returns whether every destination of this edge has a value of a parameter.
    ///
    /// The value comes from the path, a required query key, a fixed value, a default, or a destination below.
    package func alwaysHas(parameter index: Int) -> Bool {
        isRequired(parameter: index) || parameters[index].fixedValue != nil || parameters[index].defaultValue != nil
            || parameters[index].inheritance != nil && parameters[index].isRequired
    }
}

extension Edge {
    /// The names of the values that a link to this edge must give: all without a default, and the value of the key that
    /// opens the route.
    var neededNames: [String] {
        parameters.indices
            .filter { index in
                let parameter = parameters[index]
                let isOpener = queryKey.map(parameter.reads) ?? false
                return !parameter.isFixed && parameter.defaultValue == nil
                    && (isOpener || isRequired(parameter: index))
            }
            .map { parameters[$0].name }
    }

    /// Returns the number of segments in a link to this edge with some values, defaults left out.
    func segmentCount(of arguments: [BoundParameter]) -> Int {
        let given = arguments.compactMap { argument -> (index: Int, count: Int)? in
            guard let index = parameters.firstIndex(where: { $0.name.bytewise == argument.name.bytewise }),
                isInPath[index], parameters[index].defaultValue != argument.value
            else { return nil }
            if case .list(let items) = argument.value { return (index, items.count) }
            return (index, 1)
        }
        let counts = expansions.lazy.filter { $0.pattern == 0 }
            .compactMap { expansion -> Int? in
                guard given.allSatisfy({ expansion.place(of: $0.index) != nil }) else { return nil }
                return given.reduce(expansion.parts.count) { $0 + $1.count - 1 }
            }
        return counts.min() ?? 0
    }
}
