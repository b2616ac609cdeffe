"""Holds the samples for Compose and Kubernetes, and the unit of systemd, to the settings and to how a server ends.

usage: manifests.py BINARY FOLDER
"""

import pathlib
import re
import subprocess
import sys

import yaml

SAMPLES = pathlib.Path("Config/deploy")

# Seconds that a server takes to end at most, with the default drain.
END = 12


def require(condition, message):
    """Ends with a message where something is not so."""
    if not condition:
        raise SystemExit(f"deploy-check: {message}")


def settings():
    """The variables that settings have, by the file that shows every setting; and that of the file itself."""
    text = pathlib.Path("Config/service.yaml").read_text()
    return set(re.findall(r"environment (WAYMARK_[A-Z_]+)", text, re.IGNORECASE)) | {"WAYMARK_CONFIG"}


def check_names():
    """Every variable is a setting, or one of the Caddyfile's own."""
    known = {name.upper() for name in settings()}
    require(len(known) > 15, f"Config/service.yaml names {known}")
    own = set(re.findall(r"\{\$(WAYMARK_[A-Z_]+)", (SAMPLES / "Caddyfile").read_text()))
    for file in sorted(SAMPLES.iterdir()):
        text = "\n".join(line for line in file.read_text().splitlines() if not line.lstrip().startswith("#"))
        for name in set(re.findall(r"WAYMARK_[A-Z_]*[A-Z]", text)) - own:
            require(name in known, f"{file}: {name} is no setting")


def check_compose():
    """One server, which has the time to end, writes to its volume alone, and is reached through the proxy."""
    services = yaml.safe_load((SAMPLES / "compose.yaml").read_text())["services"]
    server, proxy = services["waymark"], services["caddy"]
    require(server["read_only"] and server["cap_drop"] == ["ALL"], "compose.yaml: the server may write or has rights")
    require(int(server["stop_grace_period"].removesuffix("s")) > END, "compose.yaml: the server is killed as it ends")
    require("ports" not in server, "compose.yaml: the server is reached without TLS")
    context = (SAMPLES / server["build"]["context"]).resolve()
    require((context / "Dockerfile").is_file(), "compose.yaml: there is no Dockerfile in the context")
    mounts = dict(volume.split(":")[:2] for volume in server["volumes"])
    require(mounts.get("waymark-data") == "/data", "compose.yaml: the database is in no volume")
    folder = next(source for source, target in mounts.items() if target == "/etc/waymark")
    require((SAMPLES / folder / "routes.yaml").is_file(), "compose.yaml: there is no catalog in the mounted folder")
    require(proxy["environment"]["WAYMARK_UPSTREAM"] == f"waymark:{server['expose'][0]}", "compose.yaml: another port")
    require(proxy["depends_on"]["waymark"]["condition"] == "service_healthy", "compose.yaml: the proxy waits for none")


def check_kubernetes(binary, folder):
    """One pod at a time, with the time to end, probes that exist, rights of nobody, and a catalog that is sound."""
    documents = {each["kind"]: each for each in yaml.safe_load_all((SAMPLES / "kubernetes.yaml").read_text())}
    spec = documents["Deployment"]["spec"]
    require(spec["replicas"] == 1 and spec["strategy"]["type"] == "Recreate", "kubernetes.yaml: two pods on one file")
    pod = spec["template"]["spec"]
    require(pod["terminationGracePeriodSeconds"] > END, "kubernetes.yaml: the server is killed as it ends")
    require(pod["securityContext"]["runAsNonRoot"], "kubernetes.yaml: it may run as root")
    require(str(pod["securityContext"]["runAsUser"]) in pathlib.Path("Dockerfile").read_text(), "another user")
    container = pod["containers"][0]
    for each in pod["containers"] + pod["initContainers"]:
        require(each["securityContext"]["readOnlyRootFilesystem"], f"kubernetes.yaml: {each['name']} may write")
    for probe, path in ("startup", "/readyz"), ("readiness", "/readyz"), ("liveness", "/healthz"):
        require(container[f"{probe}Probe"]["httpGet"]["path"] == path, f"kubernetes.yaml: {probe} asks something else")
    volumes = {volume["name"] for volume in pod["volumes"]}
    for each in pod["containers"] + pod["initContainers"]:
        for mount in each["volumeMounts"]:
            require(mount["name"] in volumes, f"kubernetes.yaml: there is no volume {mount['name']}")
    labels = spec["template"]["metadata"]["labels"]
    require(documents["Service"]["spec"]["selector"].items() <= labels.items(), "kubernetes.yaml: no pod is selected")
    claim = next(volume for volume in pod["volumes"] if "persistentVolumeClaim" in volume)["persistentVolumeClaim"]
    require(claim["claimName"] == documents["PersistentVolumeClaim"]["metadata"]["name"], "kubernetes.yaml: no claim")
    catalog = pathlib.Path(folder) / "routes.yaml"
    catalog.write_text(documents["ConfigMap"]["data"]["routes.yaml"])
    subprocess.run([binary, "catalog", "check", catalog], check=True, stdout=subprocess.DEVNULL)


def check_unit():
    """The service has the time to end."""
    text = (SAMPLES / "waymark.service").read_text()
    require(int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[1]) > END, "waymark.service: too little time")


def main():
    check_names()
    check_compose()
    check_kubernetes(*sys.argv[1:3])
    check_unit()
    print("deploy-check: the files for Compose and Kubernetes hold to the settings")


if __name__ == "__main__":
    main()
