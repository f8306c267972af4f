package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.JobChange.Hook;
import dev.muster.admission.core.JobChange.Kind;
import dev.muster.admission.core.JobChange.Scale;
import dev.muster.admission.core.JobChange.Scale.To;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be told of a hook by itself. */
class HookChecksTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<String> TELL = List.of("tell");

    private static List<Problem> problems(Hook hook) {
        var zero = Duration.ZERO;
        var scale = new Scale(To.OUT, "worker", 1, List.of(), zero, zero, true, false, hook, null);
        return JobChangeTest.change(Kind.SCALE, scale).problems("");
    }

    @Test
    void anythingMayBeAnArgument() {
        var command = List.of("/bin/tell", "", "a b", "$(NAME)", "\"'`;|&\n");
        assertThat(problems(new Hook(command, Map.of("_to", "$x"), MINUTE, 10))).isEmpty();
        assertThat(problems(new Hook(TELL, Map.of(), Duration.ofSeconds(1), 0))).isEmpty();
        assertThat(problems(new Hook(TELL, Map.of(), Duration.ofHours(1), 0))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void hookThatCannotBeSaysWhere(Hook hook, String path) {
        assertThat(problems(hook)).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> hookThatCannotBeSaysWhere() {
        return Stream.of(
                of("no command", List.of(), "scale.hook.command"),
                of("no program", List.of("", "x"), "scale.hook.command"),
                of("many arguments", Collections.nCopies(101, "x"), "scale.hook.command"),
                of("long", List.of("x", "y".repeat(4_097)), "scale.hook.command[1]"),
                of("NUL", List.of("x", "a\0b"), "scale.hook.command[1]"),
                of("much in all", Collections.nCopies(9, "y".repeat(4_000)), "scale.hook"),
                of("a name", Map.of("2X", ""), "scale.hook.env['2X']"),
                of("another name", Map.of("A-B", ""), "scale.hook.env['A-B']"),
                of("our name", Map.of("MUSTER_JOB", ""), "scale.hook.env.MUSTER_JOB"),
                of("long value", Map.of("X", "y".repeat(4_097)), "scale.hook.env.X"),
                of("short", Duration.ofMillis(999), 0, "scale.hook.timeout"),
                of("endless", Duration.ofMillis(3_600_001), 0, "scale.hook.timeout"),
                of("stubborn", MINUTE, 11, "scale.hook.retries"),
                of("less than one", MINUTE, -1, "scale.hook.retries"));
    }

    private static Arguments of(String name, List<String> command, String path) {
        return argumentSet(name, new Hook(command, Map.of(), MINUTE, 0), path);
    }

    private static Arguments of(String name, Map<String, String> env, String path) {
        return argumentSet(name, new Hook(TELL, env, MINUTE, 0), path);
    }

    private static Arguments of(String name, Duration timeout, int retries, String path) {
        return argumentSet(name, new Hook(TELL, Map.of(), timeout, retries), path);
    }
}
