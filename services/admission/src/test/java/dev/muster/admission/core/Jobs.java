package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Cleanup;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.NodeLostPolicy;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.Template;
import dev.muster.admission.core.TrainJob.TopologyPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Jobs to be changed at one place: what is not said is as in the smallest job. */
final class Jobs {
    static final Map<String, Object> ONE_CONTAINER =
            Map.of("containers", List.of(Map.of("name", "main", "image", "python:3.12")));

    String namespace = "ml";
    String name = "resnet";
    String queue = "default";
    int priority;
    @Nullable String priorityClass;
    Framework framework = Framework.NONE;
    String nprocPerNode = "1";
    int masterPort = 23456;
    boolean suspend;
    Map<String, String> labels = new TreeMap<>();
    Map<String, String> annotations = new TreeMap<>();
    List<Dependency> after = new ArrayList<>();
    @Nullable Gang gang;
    @Nullable Elastic elastic;
    List<Role> roles = new ArrayList<>(List.of(role("worker", 1)));
    @Nullable Success success;
    @Nullable Failure failure;
    @Nullable Deadlines deadlines;
    Cleanup cleanup = Cleanup.RUNNING;
    Duration ttl = Duration.ofHours(24);
    Duration grace = Duration.ofSeconds(30);
    @Nullable Checkpoint checkpoint;
    Map<String, String> limits = new TreeMap<>();
    boolean budget;
    TrainJob.RemoteShell shell = TrainJob.RemoteShell.AGENT;

    static TrainJob smallest() {
        return with(job -> {});
    }

    static TrainJob with(Consumer<Jobs> change) {
        var job = new Jobs();
        change.accept(job);
        return job.build();
    }

    static Role role(String name, int replicas) {
        return role(name, replicas, ONE_CONTAINER);
    }

    static Role role(String name, int replicas, Map<String, ?> podSpec) {
        return new Role(
                name,
                replicas,
                null,
                false,
                null,
                0,
                false,
                null,
                List.of(),
                new Template("{}", Map.of("spec", podSpec)));
    }

    static Role minimum(Role role, int min) {
        return new Role(
                role.name(),
                role.replicas(),
                min,
                role.elastic(),
                role.dependsOn(),
                role.spotCount(),
                role.hostNetwork(),
                role.failure(),
                role.critical(),
                role.template());
    }

    static Role elastic(Role role) {
        return new Role(
                role.name(),
                role.replicas(),
                role.min(),
                true,
                role.dependsOn(),
                role.spotCount(),
                role.hostNetwork(),
                role.failure(),
                role.critical(),
                role.template());
    }

    static Role dependsOn(Role role, Dependency... on) {
        return new Role(
                role.name(),
                role.replicas(),
                role.min(),
                role.elastic(),
                List.of(on),
                role.spotCount(),
                role.hostNetwork(),
                role.failure(),
                role.critical(),
                role.template());
    }

    static Role special(
            Role role,
            int spot,
            boolean hostNetwork,
            @Nullable Failure failure,
            List<Integer> critical) {
        return new Role(
                role.name(),
                role.replicas(),
                role.min(),
                role.elastic(),
                role.dependsOn(),
                spot,
                hostNetwork,
                failure,
                critical,
                role.template());
    }

    static Gang gang(@Nullable Integer min) {
        return new Gang(min, Duration.ofMinutes(5), TopologyPolicy.NONE, null);
    }

    static Failure failure(FailureRule... rules) {
        return new Failure(
                3,
                100,
                Duration.ofHours(24),
                Duration.ofSeconds(10),
                Duration.ofMinutes(6),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                NodeLostPolicy.WAIT,
                List.of(rules));
    }

    private TrainJob build() {
        return new TrainJob(
                namespace,
                name,
                new Spec(
                        queue,
                        priority,
                        priorityClass,
                        framework,
                        nprocPerNode,
                        masterPort,
                        suspend,
                        labels,
                        annotations,
                        after,
                        gang,
                        elastic,
                        roles,
                        success,
                        failure,
                        deadlines,
                        cleanup,
                        ttl,
                        grace,
                        checkpoint,
                        limits,
                        budget,
                        shell));
    }
}
