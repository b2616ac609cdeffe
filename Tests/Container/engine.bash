# The engine: Docker's where it answers, else its stand-in.
# shellcheck shell=bash disable=SC2034 # the parts after it ask which it is

if docker info >/dev/null 2>&1; then
    engine=docker
    step "a Docker engine answers: $(docker version --format '{{.Server.Version}}')"
else
    step "no Docker engine answers; podman takes its place"
    prepare_podman
fi
