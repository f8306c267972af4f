package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.JobChange.Kind;
import dev.muster.admission.core.JobChange.Scale;
import dev.muster.admission.core.JobChange.Scale.To;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be told of a command of scale by itself. */
class JobChangeTest {
    private static final Duration ZERO = Duration.ZERO;

    static JobChange change(Kind kind, @Nullable Scale scale) {
        return new JobChange(kind, null, null, null, "", null, scale);
    }

    @Test
    void scaleByCountOrByNamesIsInOrder() {
        for (var scale : List.of(to(To.SET, 8), to(To.OUT, 1), to(To.IN, 2), names(To.IN, 0))) {
            assertThat(change(Kind.SCALE, scale).problems("")).isEmpty();
        }
    }

    @Test
    void commandIsTakenBackByAKindThatStandsAlone() {
        for (var command : new String[] {null, "r1"}) {
            assertThat(change(Kind.SCALE, back(command)).problems("")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource
    void scaleThatCannotBeSaysWhere(JobChange change, String path) {
        assertThat(change.problems("")).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> scaleThatCannotBeSaysWhere() {
        var ago = Duration.ofSeconds(-1);
        var worker = "worker";
        return Stream.of(
                argumentSet("none", change(Kind.SCALE, null), "scale"),
                argumentSet("of a hold", change(Kind.HOLD, to(To.SET, 1)), "scale"),
                wrong("later kind", to(To.UNKNOWN, 1), "scale.kind"),
                wrong("nobody", to(To.OUT, 0), "scale.count"),
                wrong("taken back, of a role", to(To.CANCEL, 0), "scale"),
                wrong("taken back, dry", dry(To.CANCEL), "scale"),
                wrong("taken back, of no name", back(""), "scale.command"),
                wrong("taken back, of a long name", back("r".repeat(1001)), "scale.command"),
                wrong("a command that is not taken back", named(To.OUT), "scale.command"),
                wrong("too many", to(To.SET, 10_001), "scale.count"),
                wrong("names to come", names(To.OUT, 0), "scale.names"),
                wrong("names and a count", names(To.IN, 1), "scale.names"),
                wrong(
                        "no role",
                        new Scale(
                                To.SET, "No Role", 1, List.of(), ZERO, ZERO, true, false, null,
                                null),
                        "scale.role"),
                wrong(
                        "timeout",
                        new Scale(To.SET, worker, 1, List.of(), ago, ZERO, true, false, null, null),
                        "scale.timeout"),
                wrong(
                        "drain",
                        new Scale(To.SET, worker, 1, List.of(), ZERO, ago, true, false, null, null),
                        "scale.drain"));
    }

    @ParameterizedTest
    @EnumSource
    void messageStandsBesideWhatShowsIt(Kind kind) {
        var shown = List.of(Kind.CANCEL, Kind.HOLD, Kind.SUSPEND).contains(kind);
        var change = new JobChange(kind, null, null, null, "why", null, null);
        var wrong = change.problems("").stream().map(Problem::path).toList();
        assertThat(wrong.contains("message")).isEqualTo(!shown);
    }

    private static Arguments wrong(String name, Scale scale, String path) {
        return argumentSet(name, change(Kind.SCALE, scale), path);
    }

    private static Scale to(To to, int count) {
        return new Scale(to, "worker", count, List.of(), ZERO, ZERO, true, false, null, null);
    }

    private static Scale back(@Nullable String command) {
        return new Scale(To.CANCEL, "", 0, List.of(), ZERO, null, true, false, null, command);
    }

    private static Scale named(To to) {
        return new Scale(to, "worker", 1, List.of(), ZERO, ZERO, true, false, null, "r1");
    }

    private static Scale dry(To to) {
        return new Scale(to, "", 0, List.of(), ZERO, null, true, true, null, null);
    }

    private static Scale names(To to, int count) {
        return new Scale(
                to, "worker", count, List.of("worker-3"), ZERO, ZERO, true, false, null, null);
    }
}
