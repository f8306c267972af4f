package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.After;
import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.v1.Cleanup;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.GangSpec;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobDependency;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.TopologyPolicy;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each field of a job that decisions need comes to its place, and to no other. */
class SubmittedFieldsTest {
    private static final Inbound INBOUND = new Inbound(_ -> workers(2));

    @Test
    void whereItWaits() {
        var place =
                with(
                                spec -> {
                                    spec.setQueue("other");
                                    spec.setPriority(7);
                                    spec.setPriorityClass("high");
                                    spec.setSuspend(true);
                                    spec.setLabels(Map.of("team", "b"));
                                })
                        .place();
        assertThat(place.queue()).isEqualTo("other");
        assertThat(place.priority()).isEqualTo(7);
        assertThat(place.priorityClass()).isEqualTo("high");
        assertThat(place.suspended()).isTrue();
        assertThat(place.labels()).containsExactly(Map.entry("team", "b"));
    }

    @Test
    void whatItComesAfter() {
        var after =
                List.of(
                        new JobDependency("first", DependencyPhase.SUCCEEDED),
                        new JobDependency("second", DependencyPhase.ENDED));
        assertThat(with(spec -> spec.setAfter(after)).place().after())
                .containsExactly(new After("first", true), new After("second", false));
    }

    @Test
    void itsDeadlines() {
        assertThat(
                        with(spec -> spec.setDeadlines(new DeadlinesSpec(1L, 2L, 3L)))
                                .work()
                                .deadlines())
                .isEqualTo(
                        new JobSpec.Deadlines(
                                Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3)));
    }

    @Test
    void itsGangAndWhereThatLies() {
        var gang =
                GangSpec.newBuilder()
                        .setMin(2)
                        .setTimeoutMillis(9)
                        .setTopology(TopologyPolicy.REQUIRE)
                        .setTopologyKey("rack")
                        .build();
        assertThat(with(spec -> spec.setGang(gang)).work().gang())
                .isEqualTo(
                        new JobSpec.Gang(
                                2,
                                Duration.ofMillis(9),
                                new Topology(Topology.Policy.REQUIRE, "rack")));
    }

    @Test
    void howItEnds() {
        var work =
                with(
                                spec -> {
                                    spec.setSuccess(
                                            new SuccessSpec(SuccessWhen.ROLE_SUCCEEDED, "worker"));
                                    spec.setCleanup(Cleanup.NONE);
                                    spec.setTtlAfterFinishedMillis(5);
                                    spec.setGracePeriodMillis(6);
                                    spec.setResourceLimits(Map.of("cpu", "9"));
                                    spec.setPodDisruptionBudget(true);
                                })
                        .work();
        assertThat(work.success()).isEqualTo(new Success.OfRole("worker"));
        assertThat(work.cleanup()).isEqualTo(JobSpec.Cleanup.NONE);
        assertThat(work.ttl()).isEqualTo(Duration.ofMillis(5));
        assertThat(work.grace()).isEqualTo(Duration.ofMillis(6));
        assertThat(work.limits()).isEqualTo(Amounts.of(Map.of("cpu", 9000L)));
        assertThat(work.keepsLeast()).isTrue();
    }

    @Test
    void itsRoles() {
        var role =
                with(
                                spec -> {
                                    var worker = spec.getRoles().getFirst();
                                    worker.setReplicas(4);
                                    worker.setMin(3);
                                    worker.setSpotCount(2);
                                    worker.setHostNetwork(true);
                                    worker.setCritical(List.of(3, 1));
                                    worker.setDependsOn(
                                            List.of(
                                                    new RoleDependency(
                                                            "a", DependencyPhase.RUNNING),
                                                    new RoleDependency("b", DependencyPhase.READY),
                                                    new RoleDependency(
                                                            "c", DependencyPhase.SUCCEEDED)));
                                })
                        .work()
                        .roles()
                        .getFirst();
        assertThat(role.replicas()).isEqualTo(4);
        assertThat(role.min()).isEqualTo(3);
        assertThat(role.spot()).isEqualTo(2);
        assertThat(role.pod().onHost()).isTrue();
        assertThat(role.care().critical()).isEqualTo(new TreeSet<>(List.of(1, 3)));
        assertThat(role.dependsOn())
                .containsExactly(
                        new DependsOn("a", Milestone.RUNNING),
                        new DependsOn("b", Milestone.READY),
                        new DependsOn("c", Milestone.SUCCEEDED));
    }

    private static JobSpec with(Consumer<TrainJobSpec> change) {
        var submitted = workers(2);
        change.accept(submitted.getSpec());
        var heard =
                event(InboxKind.JOB_SUBMITTED)
                        .setJob(job("resnet", 4711))
                        .setRequestKey("ml/resnet")
                        .setJobSubmitted(submitted)
                        .build();
        return ((Event.Submitted) INBOUND.event(heard)).spec();
    }
}
