package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.deploy.VolcanoJobs.Asks;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What Volcano's own scheduler makes of gangs whose roles have a group each, of gangs whose size
 * changes, and of those of which some has ended.
 */
@EnabledIfSystemProperty(named = "muster.volcano", matches = "true")
class VolcanoRolesIT {
    private static final String GROUP = "scheduling.k8s.io/group-name";

    /** The first making of the last worker. */
    private static final String FAILS_ONCE =
            "[ $MUSTER_INDEX = 2 ] && [ $MUSTER_INCARNATION -le 4 ] && exit 7; sleep 10";

    /**
     * The second ends by what is ignored, and then the last one once by what it comes back from.
     */
    private static final String IGNORED_AND_MADE_AGAIN =
            "[ $MUSTER_INDEX = 1 ] && exit 3; sleep 15;"
                    + " [ $MUSTER_INDEX = 2 ] && [ $MUSTER_INCARNATION -le 3 ] && exit 4; sleep 30";

    private static final Map<String, Asks> FIRST =
            Map.of(
                    "tied-a1.master", asks("master", 1, "100m"),
                    "tied-a1.worker", asks("worker", 3, "300m"));

    private static VolcanoPool pool;

    private final String namespace = TheSystem.namespace("volcano-roles");

    @BeforeAll
    static void poolOfVolcano() {
        pool = VolcanoPool.of("volcano-roles", "delegated", List.of("200m", "200m"));
    }

    @AfterAll
    static void end() {
        if (pool != null) {
            pool.close();
        }
    }

    /** A worker is made again alone meanwhile, and one role comes when all workers are done. */
    @Test
    void rolesThatWaitForEachOtherAreAGroupEachAndRun() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            jobs.submit(
                    "tied",
                    "failure: {settle: 1s, delay: {initial: 1s}, rules: ["
                            + "{exitCodes: [7], action: RestartPod}]}",
                    jobs.role("master", 1, "", "sleep 20"),
                    jobs.role("worker", 3, "", FAILS_ONCE),
                    jobs.role(
                            "eval",
                            2,
                            "dependsOn: [{role: worker, phase: Succeeded}]",
                            "exec sleep 600"));
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() -> assertThat(jobs.asks("tied")).isEqualTo(FIRST));
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(jobs.pods("tied"))
                                    .extracting(pod -> pod.getSpec().getNodeName())
                                    .containsExactlyInAnyOrder(
                                            "volcano-roles-0",
                                            "volcano-roles-0",
                                            "volcano-roles-1",
                                            "volcano-roles-1"));
            assertThat(jobs.pods("tied")).allSatisfy(VolcanoRolesIT::isOfTheGroupOfItsRole);

            // The groups of the roles that have succeeded keep nothing of the queue.
            var second = Map.of("tied-a1.eval", asks("eval", 2, "200m"));
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() -> {
                        assertThat(jobs.asks("tied")).isEqualTo(second);
                        assertThat(jobs.pods("tied"))
                                .filteredOn(pod -> pod.getStatus().getPhase().equals("Running"))
                                .extracting(pod -> pod.getMetadata().getName())
                                .containsExactlyInAnyOrder("tied-eval-0", "tied-eval-1");
                    });
            assertThat(jobs.pods("tied")).allSatisfy(VolcanoRolesIT::isOfTheGroupOfItsRole);
            assertThat(PodLives.byRank(TheSystem.audit(), namespace))
                    .hasEntrySatisfying("tied/worker/1", lives -> assertThat(lives).hasSize(1))
                    .hasEntrySatisfying("tied/worker/2", lives -> assertThat(lives).hasSize(2));
            var status = jobs.status("tied");
            assertThat(status.getAttempt()).isEqualTo(1);
            assertThat(status.getRestarts().getOwn()).isEqualTo(1);
            jobs.change("tied", "cancel");
            jobs.awaitPhase("tied", Phase.CANCELLED);
            jobs.awaitNothingLeft("tied");
        }
    }

    private static void isOfTheGroupOfItsRole(Pod pod) {
        var role = pod.getMetadata().getLabels().get("muster.dev/role");
        assertThat(pod.getSpec().getSchedulerName()).isEqualTo("volcano");
        assertThat(pod.getMetadata().getAnnotations()).containsEntry(GROUP, "tied-a1." + role);
    }

    /** To Volcano a pod that has failed is none of its group, which would be too small for ever. */
    @Test
    void podThatIsMadeAgainIsBoundThoughOneOfItsGroupIsIgnored() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            jobs.submit(
                    "ignores",
                    "failure: {settle: 1s, delay: {initial: 1s}, rules: ["
                            + "{exitCodes: [3], action: Ignore},"
                            + " {exitCodes: [4], action: RestartPod}]}",
                    jobs.role("worker", 3, "", IGNORED_AND_MADE_AGAIN));
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(jobs.asks("ignores"))
                                    .isEqualTo(Map.of("ignores-a1", asks("worker", 2, "200m"))));
            jobs.awaitPhase("ignores", Phase.SUCCEEDED);
            assertThat(PodLives.byRank(TheSystem.audit(), namespace))
                    .hasEntrySatisfying("ignores/worker/1", lives -> assertThat(lives).hasSize(1))
                    .hasEntrySatisfying("ignores/worker/2", lives -> assertThat(lives).hasSize(2));
            var status = jobs.status("ignores");
            assertThat(status.getAttempt()).isEqualTo(1);
            assertThat(status.getRestarts().getOwn()).isEqualTo(1);
            jobs.awaitNothingLeft("ignores");
        }
    }

    @Test
    void podsThatAScaleBringsAreBoundAndThoseThatItTakesLeaveNothing() {
        try (var jobs = new VolcanoJobs(pool.name(), namespace)) {
            var training = new Training(namespace, "grows", "worker");
            jobs.submit(
                    "grows",
                    "elastic: {min: 2, max: 3}",
                    jobs.role("worker", 2, "elastic: true", "exec sleep 600"));
            jobs.awaitPhase("grows", Phase.RUNNING);
            awaitGroupOf(2, jobs);

            training.scale(jobs.statuses(), "{\"role\":\"worker\",\"out\":1}", 3);
            assertThat(jobs.pods("grows"))
                    .hasSize(3)
                    .allMatch(pod -> pod.getSpec().getNodeName().startsWith("volcano-roles-"))
                    .allMatch(pod -> pod.getStatus().getPhase().equals("Running"));
            awaitGroupOf(3, jobs);

            training.scale(jobs.statuses(), "{\"role\":\"worker\",\"in\":1}", 2);
            await().atMost(VolcanoJobs.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(jobs.pods("grows"))
                                    .extracting(pod -> pod.getMetadata().getName())
                                    .containsExactlyInAnyOrder("grows-worker-0", "grows-worker-1"));
            awaitGroupOf(2, jobs);

            assertThat(jobs.status("grows").getPhase()).isEqualTo(Phase.RUNNING);
            assertThat(jobs.status("grows").getAttempt()).isEqualTo(1);
            jobs.change("grows", "cancel");
            jobs.awaitPhase("grows", Phase.CANCELLED);
            jobs.awaitNothingLeft("grows");
        }
    }

    /** So many start together by the newest plan, and the group says the same by that plan. */
    private static void awaitGroupOf(int pods, VolcanoJobs jobs) {
        var cpu = 100 * pods;
        await().atMost(VolcanoJobs.PATIENCE)
                .untilAsserted(() -> {
                    var plan = jobs.plan("grows");
                    assertThat(plan.getRun().getGroups())
                            .singleElement()
                            .satisfies(group -> {
                                assertThat(group.getMinimum()).isEqualTo(Map.of("worker", pods));
                                assertThat(group.getResources()).containsEntry("cpu", (long) cpu);
                            });
                    assertThat(jobs.asks("grows"))
                            .isEqualTo(Map.of("grows-a1", asks("worker", pods, cpu + "m")));
                    assertThat(jobs.groups("grows"))
                            .singleElement()
                            .satisfies(group ->
                                    assertThat(group.getMetadata().getLabels())
                                            .containsEntry(
                                                    "muster.dev/plan",
                                                    Long.toString(plan.getVersion())));
                });
    }

    private static Asks asks(String role, int pods, String cpu) {
        return new Asks(pods, Map.of(role, pods), Map.of("cpu", cpu), "default");
    }
}
