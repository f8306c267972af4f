package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real API server takes every manifest, and gives each service the rights of the picture. */
class ManifestsIT {
    private static final String CONFIG = "--kubeconfig=" + TestParts.kubeconfig();

    @BeforeAll
    static void accountsAndRightsAreThere() throws Exception {
        for (var file : List.of("namespace.yaml", "accounts.yaml", "rights.yaml")) {
            var namespace = file.equals("namespace.yaml") ? "default" : "muster-system";
            var answer =
                    Manifests.kubectl(
                            CONFIG,
                            "apply",
                            "--namespace=" + namespace,
                            "--filename=" + Manifests.BASE.resolve(file));
            assertThat(answer.exitCode()).as(answer.text()).isZero();
        }
    }

    @Test
    void everyManifestIsTaken() throws Exception {
        var answer =
                Manifests.kubectl(
                        CONFIG, "apply", "--dry-run=server", "--kustomize=" + Manifests.BASE);
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        assertThat(answer.text().lines().filter(line -> line.contains("(server dry run)")))
                .hasSameSizeAs(Manifests.all());
        assertThat(answer.text().toLowerCase(Locale.ROOT)).doesNotContain("warning");
    }

    @ParameterizedTest(name = "{0} {1} {2}: {3}")
    @CsvSource({
        "pod-manager, create, pods, yes",
        "pod-manager, delete, pods, yes",
        "pod-manager, list,   pods, yes",
        "pod-manager, watch,  pods, no",
        "pod-manager, create, secrets, yes",
        "pod-manager, get,    secrets, no",
        "pod-manager, list,   secrets, no",
        "pod-manager, list,   nodes, no",
        "watcher,     watch,  pods, yes",
        "watcher,     watch,  nodes, yes",
        "watcher,     create, pods, no",
        "watcher,     patch,  pods, no",
        "watcher,     delete, pods, no",
        "watcher,     patch,  nodes, no",
        "watcher,     get,    secrets, no",
        "admission,   list,   pods, no",
        "admission,   create, pods, no",
        "admission,   get,    configmaps, no",
        "coordinator, list,   pods, no",
        "coordinator, create, pods, no",
        "coordinator, list,   nodes, no",
    })
    void rightsFollowThePicture(String service, String verb, String resource, String expected)
            throws Exception {
        var answer =
                Manifests.kubectl(
                        CONFIG,
                        "auth",
                        "can-i",
                        verb,
                        resource,
                        "--namespace=ml",
                        "--as=system:serviceaccount:muster-system:" + service);
        assertThat(answer.text().lines().toList().getLast()).isEqualTo(expected);
    }

    @Test
    void watcherThatTriesToMakeAPodIsForbidden() throws Exception {
        var answer =
                Manifests.kubectl(
                        CONFIG,
                        "run",
                        "pod",
                        "--image=none",
                        "--as=system:serviceaccount:muster-system:watcher");
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.text()).contains("Forbidden").contains("cannot create resource \"pods\"");
    }

    @Test
    void leasesAreTheWatchersInItsOwnNamespaceOnly() throws Exception {
        var watcher = "--as=system:serviceaccount:muster-system:watcher";
        var own =
                Manifests.kubectl(
                        CONFIG,
                        "auth",
                        "can-i",
                        "update",
                        "leases",
                        "-n",
                        "muster-system",
                        watcher);
        var others =
                Manifests.kubectl(
                        CONFIG, "auth", "can-i", "update", "leases", "-n", "kube-system", watcher);
        assertThat(own.text().strip()).isEqualTo("yes");
        assertThat(others.text().lines().toList().getLast()).isEqualTo("no");
    }

    @Test
    void everyObjectLiesInTheNamespaceOrInNone() throws Exception {
        assertThat(Manifests.all())
                .extracting(HasMetadata::getMetadata)
                .allMatch(meta ->
                        meta.getNamespace() == null || meta.getNamespace().equals("muster-system"));
    }
}
