package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real API server takes every manifest, and gives each service the rights of the picture. */
class ManifestsIT {
    private static final String CONFIG = "--kubeconfig=" + TestParts.kubeconfig();

    private static final Pattern CLOSED =
            Pattern.compile("```yaml\n(components: .*?)```", Pattern.DOTALL);

    @BeforeAll
    static void accountsAndRightsAreThere() throws Exception {
        var answer =
                Manifests.kubectl(
                        CONFIG,
                        "apply",
                        "--namespace=muster-system",
                        "--filename=" + Manifests.BASE.resolve("namespace.yaml"),
                        "--filename=" + Manifests.BASE.resolve("accounts.yaml"),
                        "--filename=" + Manifests.BASE.resolve("rights.yaml"));
        assertThat(answer.exitCode()).as(answer.text()).isZero();
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

    /** As the README shows it: the proxy and Job queues come to the one port, jobs to the other. */
    @Test
    void overlayThatClosesAdmissionIsTaken(@TempDir Path folder) throws Exception {
        var shown = CLOSED.matcher(Files.readString(Path.of("README.md")));
        assertThat(shown.find()).isTrue();
        var base = folder.toRealPath().relativize(Manifests.BASE);
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                "resources: [%s]\n%s"
                        .formatted(base, shown.group(1))
                        .replace("../closed", base.resolveSibling("closed").toString()));
        var ingress =
                Manifests.built(folder).stream()
                        .filter(NetworkPolicy.class::isInstance)
                        .map(object -> ((NetworkPolicy) object).getSpec().getIngress())
                        .toList();
        assertThat(ingress).hasSize(1);
        assertThat(from(ingress, 0)).hasSize(2);
        assertThat(from(ingress, 0).getFirst().getNamespaceSelector().getMatchLabels())
                .containsExactly(Map.entry("kubernetes.io/metadata.name", "ingress"));
        assertThat(from(ingress, 1).getFirst().getPodSelector().getMatchExpressions())
                .singleElement()
                .returns(LabelNames.JOB, LabelSelectorRequirement::getKey);
        assertThat(ingress.getFirst())
                .flatExtracting(NetworkPolicyIngressRule::getPorts)
                .extracting(port -> port.getPort().getStrVal())
                .containsExactly("http", "reports");

        var answer =
                Manifests.kubectl(CONFIG, "apply", "--dry-run=server", "--kustomize=" + folder);
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        assertThat(answer.text().toLowerCase(Locale.ROOT))
                .contains("networkpolicy")
                .doesNotContain("warning");
    }

    private static List<NetworkPolicyPeer> from(
            List<List<NetworkPolicyIngressRule>> ingress, int rule) {
        return ingress.getFirst().get(rule).getFrom();
    }

    @Test
    void jobsHaveAPortOfAdmissionOfTheirOwn() throws Exception {
        var admission =
                Manifests.named(Deployment.class, "admission")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst();
        var reports = Manifests.named(Service.class, "admission-reports").getSpec();
        assertThat(reports.getPorts())
                .singleElement()
                .returns(80, ServicePort::getPort)
                .returns(new IntOrString("reports"), ServicePort::getTargetPort);
        assertThat(reports.getSelector())
                .isEqualTo(Manifests.named(Service.class, "admission").getSpec().getSelector());
        assertThat(admission.getPorts())
                .filteredOn(port -> port.getName().equals("reports"))
                .singleElement()
                .returns(set(admission, "ADMISSION_REPORT_PORT"), ContainerPort::getContainerPort);
    }

    private static int set(Container container, String variable) {
        return container.getEnv().stream()
                .filter(env -> env.getName().equals(variable))
                .mapToInt(env -> Integer.parseInt(env.getValue()))
                .findFirst()
                .orElseThrow();
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
        "pod-manager, delete, configmaps, yes",
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
    void rightsFollowThePicture(String service, String verb, String resource, String expected) {
        assertThat(may(service, verb, "", resource, "ml")).isEqualTo(expected.equals("yes"));
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
    void leasesAreTheWatchersInItsOwnNamespaceOnly() {
        var group = "coordination.k8s.io";
        assertThat(may("watcher", "update", group, "leases", "muster-system")).isTrue();
        assertThat(may("watcher", "update", group, "leases", "kube-system")).isFalse();
        assertThat(may("pod-manager", "update", group, "leases", "muster-system")).isFalse();
        assertThat(may("watcher", "watch", group, "leases", "kube-node-lease")).isTrue();
        assertThat(may("watcher", "update", group, "leases", "kube-node-lease")).isFalse();
    }

    /** What {@code kubectl auth can-i --as} asks. */
    private static boolean may(
            String service, String verb, String group, String resource, String namespace) {
        var config = Config.fromKubeconfig(TestParts.kubeconfig().toFile());
        config.setImpersonateUsername("system:serviceaccount:muster-system:" + service);
        var question =
                new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(resource)
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build();
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            return client.authorization()
                    .v1()
                    .selfSubjectAccessReview()
                    .create(question)
                    .getStatus()
                    .getAllowed();
        }
    }

    @Test
    void snapshotterIsTheCoordinatorsImageWithoutAToken() throws Exception {
        var snapshotter = Manifests.all(CronJob.class).getFirst();
        var pod = snapshotter.getSpec().getJobTemplate().getSpec().getTemplate().getSpec();
        assertThat(pod.getServiceAccountName()).isEqualTo("coordinator");
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getContainers())
                .singleElement()
                .satisfies(container ->
                        assertThat(container.getImage()).startsWith("muster-coordinator:"))
                .returns(List.of("snapshot"), Container::getArgs);
    }

    @Test
    void everyJobEndsByItselfAndIsDeletedBeforeItIsAppliedAgain() throws Exception {
        var jobs = Manifests.all(Job.class);
        assertThat(jobs)
                .hasSize(2)
                .allSatisfy(
                        job -> assertThat(job.getSpec().getActiveDeadlineSeconds()).isPositive());
        var names = jobs.stream().map(job -> job.getMetadata().getName()).sorted().toList();
        for (var guide : List.of("README.md", "../docs/guide/upgrading.md")) {
            assertThat(Files.readString(Path.of(guide)))
                    .containsPattern(
                            "delete job %s %s --ignore-not-found\n *kubectl apply -k "
                                    .formatted(names.getLast(), names.getFirst()));
        }
    }

    @Test
    void noJobOfACronJobKeepsTheNextOnesAwayForEver() throws Exception {
        assertThat(Manifests.all(CronJob.class))
                .isNotEmpty()
                .allSatisfy(cron ->
                        assertThat(
                                        cron.getSpec()
                                                .getJobTemplate()
                                                .getSpec()
                                                .getActiveDeadlineSeconds())
                                .isPositive());
    }

    @Test
    void everyObjectLiesInTheNamespaceOrInNone() throws Exception {
        assertThat(Manifests.all())
                .extracting(HasMetadata::getMetadata)
                .allMatch(meta ->
                        meta.getNamespace() == null || meta.getNamespace().equals("muster-system"));
    }

    @Test
    void drainOfANodeLeavesOneReplicaOfEachService() throws Exception {
        var budgets = Manifests.all(PodDisruptionBudget.class);
        var classes = Manifests.all(PriorityClass.class);
        var services = Manifests.all(Deployment.class);
        assertThat(budgets).hasSameSizeAs(services);
        for (var service : services) {
            var template = service.getSpec().getTemplate();
            var labels = template.getMetadata().getLabels();
            assertThat(service.getSpec().getReplicas()).isGreaterThan(1);
            assertThat(budgets)
                    .extracting(PodDisruptionBudget::getSpec)
                    .filteredOn(budget -> selects(budget.getSelector(), labels))
                    .singleElement()
                    .returns(new IntOrString(1), PodDisruptionBudgetSpec::getMaxUnavailable);
            assertThat(template.getSpec().getTopologySpreadConstraints())
                    .singleElement()
                    .matches(spread -> selects(spread.getLabelSelector(), labels))
                    .returns("kubernetes.io/hostname", TopologySpreadConstraint::getTopologyKey)
                    .returns("ScheduleAnyway", TopologySpreadConstraint::getWhenUnsatisfiable);
            assertThat(classes)
                    .extracting(of -> of.getMetadata().getName())
                    .containsExactly(template.getSpec().getPriorityClassName());
        }
    }

    private static boolean selects(LabelSelector selector, Map<String, String> labels) {
        return !selector.getMatchLabels().isEmpty()
                && selector.getMatchExpressions().isEmpty()
                && labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
    }
}
