# The Python of the browser's tests, with playwright and axe; sets `python`. Sourced by the proofs `console` and `pages`.
# shellcheck shell=bash
# Other builds of Python bring it along.
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/setup python3-venv
environment=.build-browser/python
python=$environment/bin/python
if ! cmp -s Tests/Browser/requirements.txt "$environment/requirements.txt"; then
    echo "installing what Tests/Browser/requirements.txt lists"
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$python" -m pip install --quiet --disable-pip-version-check --requirement Tests/Browser/requirements.txt
    cp Tests/Browser/requirements.txt "$environment/requirements.txt"
fi
