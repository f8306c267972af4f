package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.SettingKind;
import dev.muster.schemas.JobKeys;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.NodeLack;
import dev.muster.v1.Phase;
import dev.muster.v1.Problem;
import dev.muster.v1.RestartBudget;
import dev.muster.v1.RestartCounts;
import dev.muster.v1.RoleStatus;
import dev.muster.v1.WaitReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class TextTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final JobStatus RUNNING =
            status("ring", Phase.RUNNING)
                    .setRoles(List.of(role("master", 1, 1), role("worker", 2, 1)))
                    .build();
    private static final JobStatus WAITING =
            status("too-big", Phase.QUEUED)
                    .setRoles(List.of(role("worker", 200, 0)))
                    .setPriority(7)
                    .setHeld(true)
                    .setWaiting(
                            WaitReason.newBuilder()
                                    .setCode("InsufficientCapacity")
                                    .setScope("cpu")
                                    .setNeed(200_000L)
                                    .setHave(2_000L)
                                    .setSince(NOON)
                                    .setMessage("needs 200 cpu, 2 are there")
                                    .setNearest(List.of(new NodeLack("n1", "198 cpu")))
                                    .build())
                    .build();

    @ParameterizedTest
    @CsvSource({
        "-5, 0s",
        "0, 0s",
        "119, 119s",
        "120, 2m",
        "7199, 119m",
        "7200, 2h",
        "172799, 47h",
        "172800, 2d"
    })
    void anAgeIsShownInTheLargestUnitOfWhichThereAreTwo(long seconds, String text) {
        assertThat(Words.age(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'  the queue  is paused ' | the queue  is paused",
                "'boom\n=====\n' | boom",
                "'=====\n  boom' | boom",
                "'worker-1 exited with 1: a\n b\n\nboom\n--\n' | worker-1 exited with 1: a … boom",
                "'==\n\n  --\n' | == --",
                "'' | ''"
            })
    void whatHasSeveralLinesIsOne(String text, String sentence) {
        assertThat(Words.sentence(text)).isEqualTo(sentence);
    }

    @Test
    void jobsStandInAlignedColumns() {
        var jobs = List.of(RUNNING, WAITING);
        var table = new JobTable(false, false, jobs, NOON.plusSeconds(300));
        assertThat(table.heading()).isEqualTo("NAME      PHASE     PODS    QUEUE     AGE   REASON");
        assertThat(table.line(RUNNING, NOON.plusSeconds(300)))
                .isEqualTo("ring      Running   2/3     default   5m");
        assertThat(table.line(WAITING, NOON.plusSeconds(300)))
                .isEqualTo("too-big   Queued    0/200   default   5m    InsufficientCapacity");
    }

    @Test
    void headingsComeAgainWhereAJobIsWiderThanThoseBefore() {
        var table = new JobTable(false, false, List.of(), NOON);
        assertThat(table.heading()).isEqualTo("NAME   PHASE   PODS   QUEUE   AGE   REASON");
        assertThat(table.news(RUNNING, NOON))
                .containsExactly(
                        "NAME   PHASE     PODS   QUEUE     AGE   REASON",
                        "ring   Running   2/3    default   0s");
        assertThat(table.news(RUNNING, NOON))
                .containsExactly("ring   Running   2/3    default   0s");
    }

    @Test
    void spotPodsAreCountedApart() {
        var some = RoleStatus.newBuilder(role("worker", 3, 2)).setSpot(2).setSpotRunning(1).build();
        var job = JobStatus.newBuilder(RUNNING).setRoles(List.of(some)).build();
        var table = new JobTable(false, false, List.of(job), NOON);
        assertThat(table.line(job, NOON)).contains(" 2/3 (1/2 spot) ");
        assertThat(yaml(job)).contains("    spot:\n      desired: 2\n      running: 1\n");
    }

    @Test
    void budgetsOfTheJobAndOfItsRolesAreShown() {
        var own = RestartBudget.newBuilder().setOwn(4).setOwnCounted(2).setBackoffLimit(3).build();
        var worker = RoleStatus.newBuilder(role("worker", 3, 2)).setBudget(own).build();
        var all = RestartBudget.newBuilder().setNextDelayMillis(160_000).build();
        var job = JobStatus.newBuilder(RUNNING).setRoles(List.of(worker)).setBudget(all).build();
        assertThat(yaml(job))
                .contains(
                        "    budget:\n      own: 4\n      infrastructure: 0\n      ownCounted: 2\n",
                        "  budget:\n    own: 0\n",
                        "    nextDelay: 2m40s\n");
    }

    @Test
    void aWideLineSaysWhatIsLeftOfTheBudget() {
        var budget =
                RestartBudget.newBuilder()
                        .setOwn(4)
                        .setOwnCounted(2)
                        .setBackoffLimit(3)
                        .setInfrastructure(9)
                        .setInfrastructureCounted(1)
                        .setInfrastructureLimit(100)
                        .build();
        var job = JobStatus.newBuilder(RUNNING).setBudget(budget).build();
        var table = new JobTable(false, true, List.of(job, WAITING), NOON);
        assertThat(table.heading()).endsWith("RESTARTS   BUDGET      REASON");
        assertThat(table.line(job, NOON)).endsWith("   2/3+1/100");
        assertThat(table.line(WAITING, NOON)).contains("   -           Insufficient");
    }

    @ParameterizedTest
    @ValueSource(strings = {"QueuePaused", "PoolUnavailable"})
    void aJobOfAQueueWhoseDoorsAreShutSaysSo(String code) {
        var shut =
                WaitReason.newBuilder()
                        .setCode(code)
                        .setScope("default")
                        .setSince(NOON)
                        .setMessage("nobody starts")
                        .build();
        var free = JobStatus.newBuilder(WAITING).setHeld(false).build();
        var mute = JobStatus.newBuilder(free).setReason("").setWaiting(null).build();
        assertThat(List.of(free, mute))
                .allSatisfy(job ->
                        assertThat(JobTable.reason(QueueFacts.explained(job, shut), true))
                                .isEqualTo(code + ": nobody starts"));
        assertThat(QueueFacts.explained(WAITING, shut)).isEqualTo(WAITING);
        assertThat(QueueFacts.explained(RUNNING, shut)).isEqualTo(RUNNING);
        assertThat(QueueFacts.explained(mute, null)).isEqualTo(mute);
        var behind = WaitReason.newBuilder(shut).setCode("BehindHead").build();
        assertThat(QueueFacts.explained(free, behind)).isEqualTo(free);
        assertThat(QueueFacts.explained(mute, behind).getReason()).isEqualTo("BehindHead");
        behind.setScope(JobKeys.of(mute.getJob()));
        assertThat(QueueFacts.explained(mute, behind)).isEqualTo(mute);
    }

    @Test
    void aWideLineSaysWhyInASentence() {
        var table = new JobTable(true, true, List.of(WAITING), NOON);
        assertThat(table.line(WAITING, NOON))
                .startsWith(
                        "default     too-big   Queued   0/200   default   0s    7          yes    3-7   default   1")
                .endsWith("InsufficientCapacity: needs 200 cpu, 2 are there");
    }

    @Test
    void whatIsKeptOfAJobForATableLooksTheSame() {
        var budget = RestartBudget.newBuilder().setOwn(4).build();
        var full =
                JobStatus.newBuilder(RUNNING)
                        .setBudget(budget)
                        .setLabels(Map.of("a", "b"))
                        .setExcludedNodes(List.of("n1"))
                        .setRoles(List.of(role("worker", 3, 2), role("ps", 2, 1)))
                        .build();
        for (boolean wide : List.of(true, false)) {
            var table = new JobTable(true, wide, List.of(full, WAITING), NOON);
            assertThat(List.of(full, WAITING))
                    .allSatisfy(job ->
                            assertThat(table.line(JobTable.shown(job, wide), NOON))
                                    .isEqualTo(table.line(job, NOON)));
        }
        var kept = JobTable.shown(full, false);
        assertThat(kept.getRoles()).hasSize(1);
        assertThat(kept.getLabels()).isEmpty();
        assertThat(kept.getExcludedNodes()).isEmpty();
        assertThat(kept.getBudget()).isNull();
    }

    @Test
    void aStatusIsWrittenInTheWordsOfTheForm() {
        assertThat(yaml(WAITING))
                .isEqualTo(
                        """
                        apiVersion: muster.dev/v1
                        kind: TrainJob
                        metadata:
                          name: too-big
                          namespace: default
                        status:
                          phase: Queued
                          reason: ''
                          message: ''
                          uid: 3-7
                          attempt: 1
                          queue: default
                          pool: default
                          priority: 7
                          held: true
                          roles:
                          - name: worker
                            desired: 200
                            created: 0
                            running: 0
                            ready: 0
                            succeeded: 0
                            failed: 0
                          restarts:
                            own: 0
                            infrastructure: 0
                          excludedNodes: []
                          times:
                            submitted: 2026-11-21T12:00:00Z
                          seq: 1
                          waiting:
                            code: InsufficientCapacity
                            scope: cpu
                            need: 200000
                            have: 2000
                            since: 2026-11-21T12:00:00Z
                            message: needs 200 cpu, 2 are there
                            remedy: ''
                            nearest:
                            - node: n1
                              lacks: 198 cpu
                        """);
    }

    @Test
    void jsonIsAListForSeveralAndAnObjectForOne() {
        assertThat(written(to -> StatusDocument.json(List.of(RUNNING), false, to)))
                .startsWith("{\n");
        assertThat(written(to -> StatusDocument.json(List.of(), true, to)))
                .isEqualToNormalizingWhitespace("[ ]");
    }

    private static String yaml(JobStatus job) {
        return written(to -> StatusDocument.yaml(List.of(job), to));
    }

    private static String written(Consumer<PrintWriter> document) {
        var text = new StringWriter();
        document.accept(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aQueueSaysWhatItMayAndWhatHoldsItUp() {
        var queue =
                JsonMapper.shared()
                        .readTree(
                                """
                                {"metadata":{"name":"a"},"spec":{"pool":"p","weight":3,"paused":true,
                                  "draining":true,"limit":{"cpu":"20","nvidia.com/gpu":"8"},
                                  "order":"Fifo","namespaces":["ml","vision"]},
                                 "status":{"waiting":1,"running":0,"reason":{"code":"QueuePaused"}}}
                                """);
        assertThat(new SettingTable(SettingKind.QUEUE, true).lines(List.of(queue)).getLast())
                .matches(
                        "a +p +3 +1 +0 +Paused,Draining +- +cpu=20,nvidia.com/gpu=8 +- +Fifo +ml,vision +-");
    }

    @Test
    void aPoolSaysWhoseTurnItIsAndWhichNodesItHas() {
        var pool =
                JsonMapper.shared()
                        .readTree(
                                """
                                {"metadata":{"name":"a"},"spec":{"number":3,"policy":"Fifo",
                                  "preemption":"Off","nodeSelector":{"zone":"b"}},
                                 "status":{"nodes":14,"readyNodes":12,"free":{"cpu":"8"}}}
                                """);
        assertThat(new SettingTable(SettingKind.POOL, false).lines(List.of(pool)))
                .containsExactly(
                        "NAME   NUMBER   POLICY   PREEMPTION   SUSPECT   NODES",
                        "a      3        Fifo     Off          0         12/14");
        assertThat(new SettingTable(SettingKind.POOL, true).lines(List.of(pool)))
                .containsExactly(
                        "NAME   NUMBER   POLICY   PREEMPTION   SUSPECT   BACKEND   AGING   CLASSES"
                                + "   SELECTOR   FREE    NODES",
                        "a      3        Fifo     Off          0         -         -       -      "
                                + "   zone=b     cpu=8   12/14");
    }

    @Test
    void aPoolSaysWhichNodesItChoosesLast() {
        var pool =
                JsonMapper.shared()
                        .readTree(
                                """
                                {"metadata":{"name":"a"},"spec":{},"status":{"suspects":7,
                                  "suspectNodes":[{"name":"n1","chosen":"never"},
                                  {"name":"n2","chosen":"last"},{"name":"n3"},{"name":"n4"},
                                  {"name":"n5"},{"name":"n6"},{"name":"n7"}]}}
                                """);
        assertThat(new SettingTable(SettingKind.POOL, false).lines(List.of(pool)).getLast())
                .matches("a +- +- +- +7 +-");
        assertThat(new SettingTable(SettingKind.POOL, true).lines(List.of(pool)).getLast())
                .matches("a +- +- +- +n1\\(excluded\\),n2,n3,n4,n5,2 more .*");
    }

    @Test
    void everyProblemIsALine() {
        assertThat(
                        ProblemLines.of(
                                "refused:",
                                List.of(
                                        new Problem("spec.queue", "7", "must be a name"),
                                        new Problem("spec.roles", "", "is required"))))
                .containsExactly(
                        "refused:",
                        "  spec.queue must be a name (given: 7)",
                        "  spec.roles is required");
    }

    private static RoleStatus role(String name, int desired, int running) {
        return RoleStatus.newBuilder()
                .setName(name)
                .setDesired(desired)
                .setRunning(running)
                .build();
    }

    private static JobStatus.Builder status(String name, Phase phase) {
        return JobStatus.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder().setId("0-1/0").setAt(NOON).setActor("test").build())
                .setJob(new JobRef("default", name, "3-7"))
                .setPhase(phase)
                .setAttempt(1)
                .setQueue("default")
                .setPool("default")
                .setRestarts(new RestartCounts(0, 0))
                .setTimes(JobTimes.newBuilder().setSubmitted(NOON).build())
                .setSeq(1);
    }
}
