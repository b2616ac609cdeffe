# Prints the ten slowest suites of what Swift Testing says, slowest first; suites run beside each other.
match($0, /Suite .+ (passed|failed) after [0-9.]+ seconds/) {
    text = substr($0, RSTART + 6, RLENGTH - 6)
    name = text
    sub(/ (passed|failed) after [0-9.]+ seconds$/, "", name)
    sub(/.* after /, "", text)
    seconds[name] += text
}
END {
    for (name in seconds) printf "%9.1f s  %s\n", seconds[name], name | "sort -rn | head -n 10"
}
