#!/usr/bin/env bash
# The tests under ThreadSanitizer and AddressSanitizer, for `scripts/prove sanitize`; `--help` lists its options.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

usage() {
    cat <<'TEXT'
Builds the tests and the binary with a sanitizer, by default first with ThreadSanitizer and then with
AddressSanitizer, and runs them. Processes that tests start run the sanitized binary too. Ends with 1 if a test fails
or a process, whichever it is, reports a fault; prints the reports.

Two kinds of reports are suppressed; Tests/Sanitize/thread.supp says why. The tests are run by scripts/test, as often as
there, since each round takes many times as long, eight at a time; deadlines of connections are longer. Two tests are
left out, and say so: one forbids files to grow, where a process with a sanitizer does not start; the other, with
ThreadSanitizer alone, ends a process whose log nobody reads, and its sanitizer waits for the reader.

  --filter SUITE   run only the tests whose names match, as in `swift test`
  --full           repeat as often as `scripts/prove laws`
TEXT
}

sanitizers=()
filters=()
# More at a time would meet their time limits.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
while (($# > 0)); do
    case $1 in
        --help | -h) usage && exit 0 ;;
        --full) export WAYMARK_TEST_DIVISOR=1 ;;
        --filter)
            (($# > 1)) || { usage >&2 && exit 64; }
            filters+=(--filter "$2")
            shift
            ;;
        thread | address) sanitizers+=("$1") ;;
        *) usage >&2 && exit 64 ;;
    esac
    shift
done
((${#sanitizers[@]} > 0)) || sanitizers=(thread address)

faults=0
for sanitizer in "${sanitizers[@]}"; do
    scratch=.build-$sanitizer
    options=(--sanitize "$sanitizer" --scratch-path "$scratch")
    echo "sanitize: building for the $sanitizer sanitizer; the first time takes many minutes"
    swift build --build-tests "${options[@]}"

    # Every process writes its reports to a file of its own, so that none is lost with an output that nobody reads.
    export WAYMARK_TEST_SANITIZER=$sanitizer
    reports=$PWD/$scratch/reports
    rm -rf "$reports"
    mkdir -p "$reports"
    common=log_path=$reports/report:exitcode=66
    # LeakSanitizer cannot run beside the test runner; Swift's runtime keeps what it makes for good anyway.
    export ASAN_OPTIONS=$common:detect_leaks=0
    export TSAN_OPTIONS=$common:halt_on_error=0:second_deadlock_stack=1
    TSAN_OPTIONS+=:suppressions=$PWD/Tests/Sanitize/thread.supp:print_suppressions=0
    # The runtime's own handler would take faults from the sanitizer.
    export SWIFT_BACKTRACE=enable=no

    preload=()
    if [[ $sanitizer == thread ]]; then
        # Teaches it the locks of Swift's `Mutex`; the file tells more.
        clang -shared -fPIC -O1 -Wall -Werror -o "$scratch/mutex.so" Tests/Sanitize/mutex.c -ldl
        preload=(env "LD_PRELOAD=$PWD/$scratch/mutex.so")
    fi

    started=$SECONDS
    code=0
    "${preload[@]}" scripts/test "${options[@]}" "${filters[@]}" || code=$?
    count=$(find "$reports" -type f | wc -l)
    echo "sanitize: $sanitizer: $((SECONDS - started)) s, exit code $code, reports from $count processes"
    if ((count > 0)); then
        grep -h '^SUMMARY' "$reports"/* | sort | uniq -c | sort -rn || true
        echo "sanitize: the reports are in $scratch/reports"
    fi
    ((code == 0 && count == 0)) || faults=$((faults + 1))
done
((faults == 0)) || exit 1
echo "sanitize: clean"
