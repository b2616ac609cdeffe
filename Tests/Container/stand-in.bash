# podman and runc in place of a Docker engine, on Debian as root, with base images made from Debian's packages.
# shellcheck shell=bash disable=SC2154,SC2034 # run.bash declares what is used here

# Points podman at storage and settings of this run's own.
configure_podman() {
    mkdir "$work/engine" "$work/storage" "$work/tmp"
    cat >"$work/storage.conf" <<TOML
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
TOML
    # podman's own limits are higher than some machines allow root to set.
    cat >"$work/containers.conf" <<TOML
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
tmp_dir = "$work/engine"
TOML
    export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
    # For what podman and mmdebstrap write on the way; apt, which reads without root's rights, must get through.
    export TMPDIR=$work/tmp
    chmod 0711 "$work"
}

# Makes a minimal Debian from the host's package sources. Usage: bootstrap SUITE TARGET [options of mmdebstrap]
bootstrap() {
    local suite=$1 sources=() file active
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
        [[ -r $file ]] || continue
        # Debian's own have the component `main`; those of other vendors hardly ever do.
        active=$(grep -v '^ *#' "$file" || true)
        grep -qw "$suite" <<<"$active" && grep -qw main <<<"$active" && sources+=("$file")
    done
    apt-config dump Acquire | grep -E '^Acquire::(https?::|Retries|Check-).* "[^"]+";$' >"$work/apt.conf" || true
    # Without a source, mmdebstrap takes Debian's own. The registry's Debian images do not wait for the disk either.
    quietly mmdebstrap --variant=minbase --aptopt="$work/apt.conf" --dpkgopt=force-unsafe-io "${@:3}" "$suite" "$2" \
        "${sources[@]+"${sources[@]}"}"
}

# Makes the image of a minimal Debian.
make_base() {
    bootstrap "$1" "$work/base.tar"
    quietly podman import "$work/base.tar" "localhost/$name-base"
    rm "$work/base.tar"
}

# Adds what a toolchain needs, and the way to where it will be mounted.
make_builder() {
    quietly podman build --isolation chroot --pull=never --tag "localhost/$name-builder" --file - "$work" <<DOCKERFILE
FROM localhost/$name-base
ENV PATH=/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    binutils ca-certificates g++ git libc6-dev libcurl4 libedit2 libncurses6 libsqlite3-0 libuuid1 libxml2 zlib1g-dev
COPY gitconfig /etc/gitconfig
DOCKERFILE
}

# Tells git in the build what it is told here about where repositories are, and mounts those that are local folders.
share_packages() {
    local key value folder
    git config --file "$work/gitconfig" --add safe.directory '*'
    while IFS=$'\n' read -r -d '' key value; do
        folder=${key#url.}
        folder=${folder%.insteadof}
        git config --file "$work/gitconfig" --add "url.$folder.insteadOf" "$value"
        folder=${folder#file://}
        if [[ -d $folder && " ${mounts[*]} " != *" $folder:$folder:ro "* ]]; then
            mounts+=(--volume "$folder:$folder:ro")
        fi
    done < <(git -C "$root" config --null --get-regexp '^url\..*\.insteadof$' || true)
}

# Prepares podman, the stand-in for the runtime's base image and, where the image compiles, that for the builder's.
prepare_podman() {
    [[ $(id -u) == 0 ]] || fail "no Docker engine answers, and without one this needs root"
    command -v apt-get >/dev/null || fail "no Docker engine answers, and without one this needs Debian"
    scripts/setup mmdebstrap podman runc
    configure_podman
    engine=podman
    step "making a stand-in for debian:$suite-slim"
    make_base "$suite"
    build_options+=(--isolation chroot --format docker --pull=never --build-arg "BASE=localhost/$name-base")
    # podman would put a writable /tmp and /run over the read-only root; docker does not.
    run_options+=(--read-only-tmpfs=false)
    if $fresh; then prepare_builder; fi
}

# Makes the stand-in for the Swift image, into which this machine's toolchain is mounted.
prepare_builder() {
    local toolchain
    toolchain=$(readlink -f "$(command -v swift)") || fail "there is no \`swift\` in PATH to build with"
    toolchain=${toolchain%/usr/bin/*}
    [[ -n $toolchain && -x $toolchain/usr/bin/swift-build ]] || fail "\`swift\` does not lead to a toolchain's usr/bin"
    step "making a stand-in for the Swift image, which has what a toolchain needs but no toolchain"
    share_packages
    make_builder
    mounts+=(--volume "$toolchain:/toolchain:ro")
    build_options+=(--build-arg "BUILDER=localhost/$name-builder")
}

# The questions that a run with the stand-in leaves open.
say_what_is_open() {
    local podman
    podman=$(podman version --format '{{.Client.Version}}')
    step "done with podman $podman and runc: real containers, each with its own namespaces"
    cat <<TEXT
not proven here:
  - a Docker engine (the same Dockerfile and the same options were given to podman)
  - the registry images $(sed -n 's/^ARG B[A-Z]*=//p' "$root/Dockerfile" | xargs)
    (Debian's packages of that release, and the Swift of this machine, stood in for them)
  - packages fetched from their public home, where git is told to take them from a local folder
  - a published port reached from outside the container (it listens on all interfaces, and ran without a network)
  - that the engine runs HEALTHCHECK on its own, every few seconds (it was run once, by hand)
TEXT
}
