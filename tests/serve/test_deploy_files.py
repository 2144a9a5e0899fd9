"""The files in deploy/ say what the code understands."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.errors import UsageError
from fastedit.serve.cluster.settings import ClusterSettings

yaml = pytest.importorskip("yaml")
DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def service() -> dict:
    return yaml.safe_load((DEPLOY / "kuberay.yaml").read_text())


def test_the_manifest_names_an_application_that_ray_can_build(service, monkeypatch):
    schema = pytest.importorskip("ray.serve.schema", reason="ray is not installed: pip install '.[ray]'")
    monkeypatch.setenv("FASTEDIT_SERVE_KEYS", '["k"]')
    config = schema.ServeDeploySchema(**yaml.safe_load(service["spec"]["serveConfigV2"]))
    (app,) = config.applications
    module, _, name = app.import_path.partition(":")
    assert module == "fastedit.serve.cluster.app"
    import fastedit.serve.cluster.app as cluster

    assert app.name == cluster.APP
    front = getattr(cluster, name)(app.args)._bound_deployment
    assert front.name == "Front"


def test_the_manifest_has_a_pod_for_every_replica_and_no_key_of_its_own(service):
    args = yaml.safe_load(service["spec"]["serveConfigV2"])["applications"][0]["args"]
    (workers,) = service["spec"]["rayClusterConfig"]["workerGroupSpecs"]
    assert (workers["minReplicas"], workers["maxReplicas"]) == (args["min_replicas"], args["max_replicas"])
    (container,) = workers["template"]["spec"]["containers"]
    assert int(container["resources"]["limits"]["nvidia.com/gpu"]) == args["gpus"]
    assert int(container["resources"]["limits"]["cpu"]) >= args["cpus"]
    with pytest.raises(UsageError, match="FASTEDIT_SERVE_KEYS"):
        ClusterSettings.load(args)


def test_the_container_file_copies_what_exists():
    for line in (DEPLOY / "Containerfile").read_text().splitlines():
        if line.startswith("COPY"):
            for name in line.split()[1:-1]:
                assert (DEPLOY.parent / name).exists(), name


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"min_replicas": 3, "max_replicas": 2}, "min_replicas 3 is more than max_replicas 2"),
        ({"model": "http://127.0.0.1:1/v1"}, "fastedit serve"),
        ({"gpus": -1}, "gpus"),
    ],
)
def test_settings_that_do_not_fit_together_are_one_line(flags, said):
    with pytest.raises(UsageError, match=said) as caught:
        ClusterSettings.load(flags)
    assert "\n" not in str(caught.value)
