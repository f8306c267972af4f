package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** What a test sees of its jobs in a pool of Volcano: them, their pods, and their groups. */
final class VolcanoJobs implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(4);

    private final String pool;
    private final String namespace;
    private final Requests requests = Requests.open(TheSystem.context(), "volcano test");
    private final JobStatuses statuses = JobStatuses.open(TheSystem.context());
    private final KubernetesClient client = TheSystem.administrator();

    VolcanoJobs(String pool, String namespace) {
        this.pool = pool;
        this.namespace = namespace;
    }

    JobStatuses statuses() {
        return statuses;
    }

    /** A job of one role. */
    void submit(String name, int workers, String command, String more) {
        submit(name, more, role("worker", workers, "", command));
    }

    /**
     * A job.
     *
     * @param more of its spec, one line
     * @param roles see {@link #role}
     */
    void submit(String name, String more, String... roles) {
        var _ =
                requests.submit(
                        Jobs.read(
                                """
                                apiVersion: muster.dev/v1
                                kind: TrainJob
                                metadata: {name: %s, namespace: %s}
                                spec:
                                  framework: pytorch
                                  queue: %s
                                  gracePeriod: 1s
                                  cleanup: All
                                  success: {when: AllSucceeded}
                                  %s
                                  roles:
                                %s
                                """
                                        .formatted(
                                                name,
                                                namespace,
                                                pool,
                                                more,
                                                String.join("", roles).indent(2).stripTrailing())));
    }

    /**
     * A role whose pods need a tenth of a core each.
     *
     * @param more of it, one line
     */
    String role(String name, int replicas, String more, String command) {
        return """
        - name: %s
          replicas: %d
          %s
          template:
            spec:
              tolerations: [{key: muster.test/only, value: %s}]
              containers:
              - name: main
                image: busybox
                command: [sh, -c, '%s']
                resources: {requests: {cpu: 100m}}
        """
                .formatted(name, replicas, more, pool, command);
    }

    JobStatus status(String name) {
        statuses.news();
        return statuses.of(namespace, name).orElseThrow();
    }

    void awaitPhase(String name, Phase phase) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> {
                    var status = status(name);
                    assertThat(status.getPhase()).as(status.getMessage()).isEqualTo(phase);
                });
    }

    void change(String name, String verb) {
        var nothing = JsonMapper.shared().createObjectNode();
        var _ = new Admission(TheSystem.context()).change(namespace, name, verb, nothing);
    }

    List<Pod> pods(String name) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel("muster.dev/job", name)
                .list()
                .getItems();
    }

    List<GenericKubernetesResource> groups(String name) {
        return client.genericKubernetesResources("scheduling.volcano.sh/v1beta1", "PodGroup")
                .inNamespace(namespace)
                .withLabel("muster.dev/job", name)
                .list()
                .getItems();
    }

    /** What the groups ask for, by their names. */
    Map<String, Asks> asks(String name) {
        var asks = new TreeMap<String, Asks>();
        groups(name).forEach(group -> asks.put(group.getMetadata().getName(), Asks.of(group)));
        return asks;
    }

    /**
     * What a group has its scheduler wait for.
     *
     * @param minTaskMember the pods that start together, by role
     * @param minResources theirs
     */
    record Asks(
            int minMember,
            Map<String, Integer> minTaskMember,
            Map<String, String> minResources,
            String queue) {
        private static Asks of(GenericKubernetesResource group) {
            return JsonMapper.shared().convertValue(group.get("spec"), Asks.class);
        }
    }

    /** The plan that was published last. */
    JobPlan plan(String name) {
        return Records.of(TheSystem.context(), Topics.JOB_PLANS).stream()
                .map(record -> record.value())
                .filter(plan -> plan != null)
                .filter(plan -> plan.getJob().getNamespace().equals(namespace))
                .filter(plan -> plan.getJob().getName().equals(name))
                .max(Comparator.comparingLong(JobPlan::getVersion))
                .orElseThrow();
    }

    void awaitNothingLeft(String name) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    assertThat(pods(name)).isEmpty();
                    assertThat(groups(name)).isEmpty();
                });
    }

    @Override
    public void close() {
        requests.close();
        statuses.close();
        client.close();
    }
}
