package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.trainjob.Form.Read;
import dev.muster.schemas.trainjob.Form.Refused;
import dev.muster.v1.BulkChange;
import dev.muster.v1.HookSpec;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.Problem;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeFormTest {
    @Test
    void aChangeNeedSayNothingMore() {
        assertThat(ChangeForm.one(JobChangeKind.HOLD, " \n"))
                .isEqualTo(new Read<>(change(JobChangeKind.HOLD).build()));
    }

    @Test
    void everyFieldOfAChangeIsRead() {
        var text =
                "{\"priority\": -5, \"queue\": \"b\", \"gracePeriod\": \"1m\", \"message\": \"why\","
                        + " \"node\": \"n1.example\"}";
        assertThat(ChangeForm.one(JobChangeKind.MOVE, text))
                .isEqualTo(
                        new Read<>(
                                new JobChange(
                                        JobChangeKind.MOVE,
                                        -5,
                                        "b",
                                        60_000L,
                                        "why",
                                        "n1.example",
                                        null)));
    }

    @Test
    void aJobIsScaledByOneOfFourSizes() {
        assertThat(scale("{role: worker, replicas: 8, drain: 30s}"))
                .isEqualTo(size(ScaleKind.SET, 8).setDrainMillis(30_000).build());
        assertThat(scale("{role: worker, out: 2, timeout: 5m, bestEffort: true}"))
                .isEqualTo(
                        size(ScaleKind.OUT, 2).setTimeoutMillis(300_000).setAtomic(false).build());
        assertThat(scale("{role: worker, in: 2, dryRun: true}"))
                .isEqualTo(size(ScaleKind.IN, 2).setDryRun(true).build());
        assertThat(scale("{role: worker, names: [worker-3, a-worker-1]}"))
                .isEqualTo(
                        size(ScaleKind.IN, 0).setNames(List.of("worker-3", "a-worker-1")).build());
    }

    /** How large the record may be that follows from it is admission's to say. */
    @Test
    void aChangeMayNameManyPodsAsAFormOfAJobMayHaveManyCharacters() {
        var names = IntStream.range(0, 9_000).mapToObj("quite-a-long-name-worker-%d"::formatted);
        var text = names.collect(Collectors.joining(", ", "{role: worker, names: [", "]}"));
        assertThat(text.length()).isGreaterThan(Limits.ASKED_BYTES);
        assertThat(scale(text).getNames()).hasSize(9_000);
        var longer = " ".repeat(TrainJobForm.MAX_LENGTH) + "{in: 1}";
        assertThat(((Refused<?>) ChangeForm.one(JobChangeKind.SCALE, longer)).problems())
                .extracting(Problem::getMessage)
                .containsExactly("the text is too long: at most 1048576 characters are allowed");
    }

    @Test
    void aDrainOfNoTimeIsSaidAndOneThatIsLeftOutIsNot() {
        assertThat(scale("{role: worker, in: 1, drain: 0s}").getDrainMillis()).isZero();
        assertThat(scale("{role: worker, in: 1}").getDrainMillis()).isEqualTo(-1);
    }

    @Test
    void theCommandUnderWayIsTakenBackByAWordThatStandsAlone() {
        assertThat(scale("cancel: true"))
                .isEqualTo(ScaleSpec.newBuilder().setKind(ScaleKind.CANCEL).setRole("").build());
        assertThat(scale("{cancel: true, command: r1}"))
                .isEqualTo(
                        ScaleSpec.newBuilder()
                                .setKind(ScaleKind.CANCEL)
                                .setRole("")
                                .setCommand("r1")
                                .build());
        assertThat(scale("{cancel: false, role: worker, in: 2}"))
                .isEqualTo(size(ScaleKind.IN, 2).build());
        var idle = ChangeForm.one(JobChangeKind.SCALE, "{role: worker, in: 2, command: r1}");
        assertThat(((Refused<?>) idle).problems())
                .extracting(Problem::getPath)
                .containsExactly("command");
        var more = ChangeForm.one(JobChangeKind.SCALE, "{cancel: true, role: worker, drain: 1s}");
        assertThat(((Refused<?>) more).problems())
                .extracting(Problem::getPath)
                .containsExactly("role", "drain");
    }

    @Test
    void aScaleMayHaveAHook() {
        var text =
                "{role: worker, in: 1, hook: {command: [tell, a b], env: {TO: them}, timeout: 90s,"
                        + " retries: 0}}";
        assertThat(scale(text).getHook())
                .isEqualTo(new HookSpec(List.of("tell", "a b"), Map.of("TO", "them"), 90_000L, 0));
        assertThat(scale("{role: worker, in: 1, hook: {command: [tell]}}").getHook())
                .isEqualTo(new HookSpec(List.of("tell"), Map.of(), 60_000L, 2));
    }

    @Test
    void everythingThatIsWrongWithAHookIsTold() {
        var text =
                "{role: worker, in: 1, hook: {command: [tell, 3.10], env: {MUSTER_X: '', 2x: ''},"
                        + " retries: 11, shell: true}}";
        assertThat(((Refused<?>) ChangeForm.one(JobChangeKind.SCALE, text)).problems())
                .extracting(Problem::getPath)
                .containsExactlyInAnyOrder(
                        "hook.command[1]",
                        "hook.env.MUSTER_X",
                        "hook.env['2x']",
                        "hook.retries",
                        "hook.shell");
        assertThat(
                        ((Refused<?>)
                                        ChangeForm.one(
                                                JobChangeKind.SCALE,
                                                "{role: worker, in: 1, hook: {command: []}}"))
                                .problems())
                .extracting(Problem::getMessage)
                .containsExactly(
                        "must be a list of one or more texts, the program and its arguments");
    }

    private static ScaleSpec scale(String text) {
        var read = ChangeForm.one(JobChangeKind.SCALE, text);
        return ((Read<JobChange>) read).it().getScale();
    }

    private static ScaleSpec.Builder size(ScaleKind kind, int count) {
        return ScaleSpec.newBuilder().setKind(kind).setRole("worker").setCount(count);
    }

    @Test
    void aScaleOfNoSizeOrOfTwoIsNone() {
        for (var text : List.of("role: worker", "{role: worker, in: 1, out: 2}")) {
            assertThat(((Refused<?>) ChangeForm.one(JobChangeKind.SCALE, text)).problems())
                    .extracting(Problem::getMessage)
                    .containsExactly("must have one of replicas, out, in, names");
        }
        assertThat(((Refused<?>) ChangeForm.one(JobChangeKind.SCALE, "in: 1")).problems())
                .extracting(Problem::getPath)
                .containsExactly("role");
    }

    @Test
    void aBulkChangeSaysWhichJobsAndWhat() {
        var text =
                """
                labels: {team: vision}
                namespace: ml
                change: {kind: SetPriority, priority: 7}
                """;
        var change = change(JobChangeKind.SET_PRIORITY).setPriority(7).build();
        assertThat(ChangeForm.many(true, text))
                .isEqualTo(
                        new Read<>(new BulkChange(true, Map.of("team", "vision"), "ml", change)));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN", "SCALE"})
    void everyKindHasAWord(JobChangeKind kind) {
        var word =
                Stream.of(kind.name().split("_", -1))
                        .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
        assertThat(ChangeForm.many(false, "change: {kind: " + word + "}"))
                .isEqualTo(new Read<>(new BulkChange(false, Map.of(), null, change(kind).build())));
    }

    @ParameterizedTest
    @MethodSource
    void everythingThatIsWrongIsTold(Form<?> result, Problem... problems) {
        assertThat(result).isEqualTo(new Refused<>(List.of(problems)));
    }

    static Stream<Arguments> everythingThatIsWrongIsTold() {
        return Stream.of(
                argumentSet(
                        "one",
                        ChangeForm.one(JobChangeKind.SET_PRIORITY, "{priorty: 1, queue: A}"),
                        new Problem[] {
                            new Problem(
                                    "queue",
                                    "A",
                                    "must be a DNS label: at most 63 of a-z, 0-9 and '-', beginning"
                                            + " and ending with a letter or digit"),
                            new Problem(
                                    "priorty", "", "is not a known field; did you mean priority?")
                        }),
                argumentSet(
                        "many",
                        ChangeForm.many(false, "{change: {kind: Stop}}"),
                        new Problem[] {
                            new Problem(
                                    "change.kind",
                                    "Stop",
                                    "must be one of Cancel, Hold, Release, SetPriority, Move,"
                                            + " Suspend, Resume, ForceDelete, IncludeNode")
                        }),
                argumentSet(
                        "nothing",
                        ChangeForm.many(false, ""),
                        new Problem[] {new Problem("change", "", "is required")}));
    }

    private static JobChange.Builder change(JobChangeKind kind) {
        return JobChange.newBuilder().setKind(kind);
    }
}
