package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.trainjob.Form;
import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The overlay that users copy changes what they have to change, and nothing else. */
class OverlayIT {
    private static final String REGISTRY = "registry.example.com/ml/";

    private static final Set<String> RIGHTS =
            Set.of("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");

    private static final Pattern SECOND =
            Pattern.compile("### Two in one cluster.*?```yaml\n(.*?)```", Pattern.DOTALL);

    private static final Pattern OWN_NODES =
            Pattern.compile("### Nodes for Muster itself.*?```yaml\n(.*?)```", Pattern.DOTALL);

    private static final Pattern APPLIED =
            Pattern.compile(
                    "kubectl kustomize deploy/kustomize/mine"
                            + " \\| kubectl apply -l ([a-z./]+)=([a-z]+) -f -");

    @Test
    void exampleHasTheObjectsOfTheBaseAndEveryImageFromItsRegistry() throws Exception {
        var base = Manifests.all();
        var example = Manifests.built(Manifests.EXAMPLE);
        assertThat(names(example)).isEqualTo(names(base));
        assertThat(images(example))
                .isEqualTo(images(base).stream().map(image -> REGISTRY + image).toList());
    }

    @Test
    void exampleHasAddressesOfItsOwn() throws Exception {
        var base = Manifests.settings(Manifests.all());
        var example = Manifests.settings(Manifests.built(Manifests.EXAMPLE));
        assertThat(example.keySet()).isEqualTo(base.keySet());
        assertThat(example.keySet())
                .filteredOn(name -> !example.get(name).equals(base.get(name)))
                .containsExactlyInAnyOrder(
                        "SPRING_KAFKA_BOOTSTRAP_SERVERS",
                        "SPRING_KAFKA_PROPERTIES_SCHEMA_REGISTRY_URL");
    }

    @Test
    void exampleHasQueuesThatCanBeApplied() throws Exception {
        var text = queues(Manifests.built(Manifests.EXAMPLE)).get("queues.yaml");
        assertThat(SettingsForm.read(text) instanceof Form.Read(var it) ? it : List.<Setting>of())
                .extracting(Setting::name)
                .containsExactly("default", "default", "research");
    }

    @Test
    void anotherSettingRollsThePodsOfEveryService(@TempDir Path folder) throws Exception {
        var before = templates(overlay(folder, "6s"));
        var after = templates(overlay(folder, "7s"));
        assertThat(before).containsOnlyKeys(templates(Manifests.all()).keySet()).hasSize(5);
        assertThat(templates(overlay(folder, "6s"))).isEqualTo(before);
        assertThat(after).allSatisfy((name, pod) -> assertThat(pod).isNotEqualTo(before.get(name)));
    }

    @Test
    void secondInstallationGivesItsOwnAccountsTheirRights(@TempDir Path folder) throws Exception {
        var lab = said(SECOND, folder);
        assertThat(subjects(lab)).hasSize(3).allMatch(of -> of.getNamespace().equals("lab"));
        assertThat(lab)
                .extracting(HasMetadata::getMetadata)
                .allMatch(meta -> meta.getNamespace() == null || meta.getNamespace().equals("lab"));
        assertThat(bindings(lab)).containsExactly("lab-pod-manager", "lab-watcher");
    }

    @Test
    void servicesGetNodesOfTheirOwn(@TempDir Path folder) throws Exception {
        var label = "node-role.example.com/services";
        assertThat(said(OWN_NODES, folder))
                .filteredOn(Deployment.class::isInstance)
                .hasSize(4)
                .flatExtracting(object -> pods(object).toList())
                .allSatisfy(pod -> {
                    assertThat(pod.getNodeSelector()).containsKey(label);
                    assertThat(pod.getTolerations())
                            .extracting(Toleration::getKey)
                            .containsExactly(label);
                });
    }

    @Test
    void upgradeAppliesAccountsAndRightsOfTheOverlayAlone() throws Exception {
        var guide = Files.readString(Path.of("..", "docs", "guide", "upgrading.md"));
        assertThat(guide).doesNotContain("kustomize/base");
        var label = APPLIED.matcher(guide);
        assertThat(label.find()).isTrue();
        assertThat(Manifests.all())
                .filteredOn(object ->
                        label.group(2).equals(object.getMetadata().getLabels().get(label.group(1))))
                .isEqualTo(
                        Manifests.all().stream()
                                .filter(object -> RIGHTS.contains(object.getKind()))
                                .toList())
                .hasSize(10);
    }

    /** What becomes of the base by an overlay that the README shows. */
    private static List<HasMetadata> said(Pattern where, Path folder) throws Exception {
        var said = where.matcher(Files.readString(Path.of("README.md")));
        assertThat(said.find()).isTrue();
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                "resources: [%s]\n%s"
                        .formatted(folder.toRealPath().relativize(Manifests.BASE), said.group(1)));
        return Manifests.built(folder);
    }

    private static List<Subject> subjects(List<HasMetadata> objects) {
        return objects.stream()
                .flatMap(object ->
                        switch (object) {
                            case ClusterRoleBinding of -> of.getSubjects().stream();
                            case RoleBinding of -> of.getSubjects().stream();
                            default -> Stream.empty();
                        })
                .toList();
    }

    /** The cluster's. */
    private static List<String> bindings(List<HasMetadata> objects) {
        return objects.stream()
                .filter(ClusterRoleBinding.class::isInstance)
                .map(object -> object.getMetadata().getName())
                .sorted()
                .toList();
    }

    /** One that says of all settings but one the same as the base. */
    private static List<HasMetadata> overlay(Path folder, String session) throws Exception {
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                """
                resources: [%s]
                patches:
                - patch: |
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: muster, namespace: muster-system}
                    data: {COORDINATOR_SESSION_TIMEOUT: %s}
                """
                        .formatted(folder.toRealPath().relativize(Manifests.BASE), session));
        return Manifests.built(folder);
    }

    /** The pods of what stays: those of the services, and the snapshotter's. */
    private static Map<String, PodSpec> templates(List<HasMetadata> objects) {
        return objects.stream()
                .filter(object -> !(object instanceof Job))
                .flatMap(object ->
                        pods(object).map(pod -> Map.entry(object.getMetadata().getName(), pod)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Without the hash of its settings. */
    private static List<String> names(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .map(name -> name.replaceFirst("^(ConfigMap muster)-.*", "$1"))
                .toList();
    }

    private static Map<String, String> queues(List<HasMetadata> objects) {
        return objects.stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .filter(map -> map.getMetadata().getName().equals("queues"))
                .findFirst()
                .orElseThrow()
                .getData();
    }

    private static List<String> images(List<HasMetadata> objects) {
        return objects.stream()
                .flatMap(OverlayIT::pods)
                .flatMap(pod -> pod.getContainers().stream())
                .map(Container::getImage)
                .toList();
    }

    private static Stream<PodSpec> pods(HasMetadata object) {
        return switch (object) {
            case Deployment of -> Stream.of(of.getSpec().getTemplate().getSpec());
            case Job of -> Stream.of(of.getSpec().getTemplate().getSpec());
            case CronJob of ->
                    Stream.of(of.getSpec().getJobTemplate().getSpec().getTemplate().getSpec());
            default -> Stream.empty();
        };
    }
}
