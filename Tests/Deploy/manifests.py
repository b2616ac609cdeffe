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
        raise SystemExit(f"deploy: {message}")


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
    folder = next(source for source, target in mounts.items() if f"{target}/routes.yaml" == server["environment"]["WAYMARK_CATALOG"])
    require((SAMPLES / folder / "routes.yaml").is_file(), "compose.yaml: there is no catalog in the mounted folder")
    require(proxy["environment"]["WAYMARK_UPSTREAM"] == f"waymark:{server['expose'][0]}", "compose.yaml: another port")
    require(proxy["depends_on"]["waymark"]["condition"] == "service_healthy", "compose.yaml: the proxy waits for none")


def manifest(file):
    """The documents of a manifest by their kind."""
    return {each["kind"]: each for each in yaml.safe_load_all((SAMPLES / file).read_text())}


def check_pod(file, documents, binary, folder):
    """The time to end, probes that exist, rights of nobody, volumes that are there, and a catalog that is sound."""
    spec = documents["Deployment"]["spec"]
    pod = spec["template"]["spec"]
    require(pod["terminationGracePeriodSeconds"] > END, f"{file}: the server is killed as it ends")
    require(not pod["automountServiceAccountToken"], f"{file}: it may ask the cluster")
    security = pod["securityContext"]
    require(security["runAsNonRoot"], f"{file}: it may run as root")
    require(str(security["runAsUser"]) in pathlib.Path("Dockerfile").read_text(), f"{file}: another user")
    require(security["seccompProfile"] == {"type": "RuntimeDefault"}, f"{file}: it may call the whole kernel")
    container = pod["containers"][0]
    volumes = {volume["name"] for volume in pod["volumes"]}
    for each in pod["containers"] + pod["initContainers"]:
        own = each["securityContext"]
        require(own["readOnlyRootFilesystem"], f"{file}: {each['name']} may write")
        require(not own["allowPrivilegeEscalation"], f"{file}: {each['name']} may get rights")
        require(own["capabilities"] == {"drop": ["ALL"]}, f"{file}: {each['name']} has capabilities")
        for mount in each.get("volumeMounts", []):
            require(mount["name"] in volumes, f"{file}: there is no volume {mount['name']}")
    for probe, path in ("startup", "/readyz"), ("readiness", "/readyz"), ("liveness", "/healthz"):
        require(container[f"{probe}Probe"]["httpGet"]["path"] == path, f"{file}: {probe} asks something else")
    labels = spec["template"]["metadata"]["labels"]
    require(spec["selector"]["matchLabels"].items() <= labels.items(), f"{file}: the deployment has no pods")
    require(documents["Service"]["spec"]["selector"].items() <= labels.items(), f"{file}: no pod is selected")
    catalog = pathlib.Path(folder) / "manifest-routes.yaml"
    catalog.write_text(documents["ConfigMap"]["data"]["routes.yaml"])
    checked = subprocess.run([binary, "catalog", "check", catalog], check=True, capture_output=True, text=True)
    require("warning" not in checked.stderr, f"{file}: {checked.stderr}")
    return pod, catalog.read_text()


def check_kubernetes(binary, folder):
    """One pod at a time on a file, in a volume that keeps its modes."""
    documents = manifest("kubernetes.yaml")
    spec = documents["Deployment"]["spec"]
    require(spec["replicas"] == 1 and spec["strategy"]["type"] == "Recreate", "kubernetes.yaml: two pods on one file")
    pod, _ = check_pod("kubernetes.yaml", documents, binary, folder)
    require(pod["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch", "kubernetes.yaml: modes are changed")
    claim = next(volume for volume in pod["volumes"] if "persistentVolumeClaim" in volume)["persistentVolumeClaim"]
    require(claim["claimName"] == documents["PersistentVolumeClaim"]["metadata"]["name"], "kubernetes.yaml: no claim")


def check_replicas(binary, folder):
    """Pods that take turns, without a volume, behind an ingress for the hosts of the catalog."""
    file = "kubernetes-postgres.yaml"
    documents = manifest(file)
    spec = documents["Deployment"]["spec"]
    require(spec["replicas"] > 1, f"{file}: one pod is no replicas")
    update = spec["strategy"]["rollingUpdate"]
    require(update["maxUnavailable"] == 0 and update["maxSurge"] > 0, f"{file}: a rollout takes a pod away first")
    pod, catalog = check_pod(file, documents, binary, folder)
    labels = spec["template"]["metadata"]["labels"]
    require(all({"configMap", "secret"} & set(volume) for volume in pod["volumes"]), f"{file}: pods share a volume")
    said = (SAMPLES / file).read_text()
    place = re.search(r"sslmode=verify-full&sslrootcert=(\S+)/ca\.pem'", said)
    require(place, f"{file}: the database's certificate is not verified")
    for each in pod["containers"] + pod["initContainers"]:
        mounted = {mount["mountPath"]: mount["name"] for mount in each["volumeMounts"]}
        require(mounted.get(place[1]) == "database", f"{file}: {each['name']} has no certificate of an authority")
    budget = documents["PodDisruptionBudget"]["spec"]
    require(0 < budget["minAvailable"] < spec["replicas"], f"{file}: a node cannot be drained, or all may go")
    require(budget["selector"]["matchLabels"].items() <= labels.items(), f"{file}: the budget is for no pod")
    ingress = documents["Ingress"]["spec"]
    hosts = re.search(r"scheme: https, hosts: \[([^\]]*)\]", catalog)[1].split(", ")
    require([rule["host"] for rule in ingress["rules"]] == hosts, f"{file}: the ingress has other hosts than the catalog")
    require([host for each in ingress["tls"] for host in each["hosts"]] == hosts, f"{file}: a host has no TLS")
    service = documents["Service"]
    for rule in ingress["rules"]:
        backend = rule["http"]["paths"][0]["backend"]["service"]
        require(backend["name"] == service["metadata"]["name"], f"{file}: the ingress has no service")
        require(backend["port"]["name"] in {port["name"] for port in service["spec"]["ports"]}, f"{file}: no such port")


def check_units():
    """Each service has the time to end, and is started again for as long as its database is away; many are confined like one."""
    texts = {name: (SAMPLES / name).read_text() for name in ("waymark.service", "waymark@.service")}
    for name, text in texts.items():
        require("\nStartLimitIntervalSec=0\n" in text.split("[Service]")[0], f"{name}: systemd gives up")
        require(int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[1]) > END, f"{name}: too little time")
    one, many = (text[text.index("\nUMask="):] for text in texts.values())
    require(one == many, "waymark@.service: other rights than waymark.service")


def main():
    check_names()
    check_compose()
    check_kubernetes(*sys.argv[1:3])
    check_replicas(*sys.argv[1:3])
    check_units()
    print("deploy: the files for Compose and Kubernetes hold to the settings")


if __name__ == "__main__":
    main()
