# Waymark in a container: one binary, one catalog, one writable folder.
#
#   docker build -t waymark .
#   docker run --rm -v waymark-data:/data waymark token create --role admin --create --output /data/first-token
#   docker run --read-only --stop-timeout 15 -p 127.0.0.1:8080:8080 -v waymark-data:/data waymark
#
#   docker run --rm -v waymark-data:/data --entrypoint cat waymark /data/first-token
#
# Callers send the token as `Authorization: Bearer wm_…`. Without any credentials the service does not start. To try it
# all the same, open to everyone who can connect, publish it on this machine's loopback and nowhere else:
#
#   docker run --rm --read-only -p 127.0.0.1:8080:8080 -e WAYMARK_INSECURE_NO_AUTH=true waymark
#
# `scripts/prove container` builds this file and proves what it makes.

# The two must be of one Debian release: the binary links the runtime's C library and SQLite.
ARG BUILDER=swift:6.3-bookworm
ARG BASE=debian:bookworm-slim

FROM ${BUILDER} AS build
ARG DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq-dev libqrcodegen-dev libsqlite3-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The manifest leaves out the tests and what only they need, so that no layer depends on them.
ENV PACKAGE_WITHOUT_TESTS=1
# The packages are those of the list, whatever is newer by now, and fetched again only when the manifest or the list changes.
COPY Package.swift ./
COPY scripts/packages scripts/packages.txt scripts/
RUN scripts/packages --take
COPY Sources Sources
RUN swift build -c release --product waymark \
    && strip -o /usr/local/bin/waymark "$(swift build -c release --show-bin-path)/waymark"
COPY Config/routes.yaml Config/routes.yaml
# No image with a catalog that the service would refuse. Modes are set here, whatever umask the checkout was made with.
RUN waymark catalog check Config/routes.yaml \
    && install -D -m 0755 /usr/local/bin/waymark /image/usr/local/bin/waymark \
    && install -D -m 0644 Config/routes.yaml /image/etc/waymark/routes.yaml

FROM ${BASE}
ARG DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 libsqlite3-0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -m 0750 -o 10001 -g 10001 /data
COPY --from=build /image /

# Mount another catalog over this one to serve other routes.
ENV WAYMARK_CATALOG=/etc/waymark/routes.yaml
# SQLite keeps its write-ahead log beside the file: the folder must be writable, not the file alone.
ENV WAYMARK_DATABASE=/data/waymark.sqlite
# A container's loopback is reached by nobody else, so the service listens beyond it, and starts only with credentials:
# tokens in the database, or the keys of an identity provider (WAYMARK_JWT_…). HEALTHCHECK needs none, and reads these
# settings too: change the port by WAYMARK_HTTP_PORT, not by `serve --port`.
ENV WAYMARK_HTTP_HOST=0.0.0.0

# A number, so that an orchestrator can see that it is not root; it needs no entry in /etc/passwd.
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8080
# The service gives requests in flight 10 seconds; let the engine wait a little longer than that before it kills.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/usr/local/bin/waymark", "healthcheck"]
# The source of the image: `docker build --build-arg VERSION=1.0.0 --build-arg REVISION=$(git rev-parse HEAD) .`
ARG VERSION=""
ARG REVISION=""
LABEL org.opencontainers.image.title="Waymark" \
    org.opencontainers.image.description="Resolves deep links to navigation stacks." \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
ENTRYPOINT ["/usr/local/bin/waymark"]
CMD ["serve"]
