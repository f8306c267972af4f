package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.SettingsRequest.DeleteQueue;
import dev.muster.admission.core.SettingsRequest.PutPool;
import dev.muster.admission.core.SettingsRequest.PutQueue;
import dev.muster.admission.core.SettingsRules.Known;
import dev.muster.admission.core.SettingsRules.Sent;
import dev.muster.admission.core.SettingsVerdict.Answer;
import dev.muster.admission.core.SettingsVerdict.Forward;
import dev.muster.admission.core.SettingsVerdict.Wait;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsRulesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Map<String, Integer> POOLS = Map.of("default", 0, "gpus", 2);
    private static final Known NOTHING = new Known(null, null, POOLS);
    private static final Sent TO_GPUS = new Sent("gpus", false);
    private static final Sent DELETED = new Sent("gpus", true);

    @ParameterizedTest
    @MethodSource
    void queueBelongsToOnePool(Known known, String pool, @Nullable Forward forward) {
        var verdict = SettingsRules.decide(known, put("team-a", pool, 1, 10), NOON);
        if (forward == null) {
            assertThat(((Answer) verdict).outcome()).isEqualTo(Outcome.CONFLICT);
        } else {
            assertThat(verdict).isEqualTo(forward);
        }
    }

    static Stream<Arguments> queueBelongsToOnePool() {
        var gpus = new Forward("gpus", 2);
        return Stream.of(
                argumentSet("new", NOTHING, "gpus", gpus),
                argumentSet("again", known(null, "gpus"), "gpus", gpus),
                argumentSet("moving", known(null, "default"), "gpus", null),
                argumentSet("again, on its way", known(TO_GPUS, null), "gpus", gpus),
                argumentSet("moving, on its way", known(TO_GPUS, null), "default", null),
                argumentSet("deleting", known(DELETED, "gpus"), "default", null),
                argumentSet("deleted", known(DELETED, null), "default", new Forward("default", 0)));
    }

    @ParameterizedTest
    @MethodSource
    void queueOutsideItsRangeIsRefused(PutQueue put, String path) {
        var answer = (Answer) SettingsRules.decide(NOTHING, put, NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems()).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> queueOutsideItsRangeIsRefused() {
        return Stream.of(
                argumentSet("name", put("Team A", "gpus", 1, 10), "name"),
                argumentSet("pool", put("team-a", "", 1, 10), "spec.pool"),
                argumentSet("weight 0", put("team-a", "gpus", 0, 10), "spec.weight"),
                argumentSet("weight", put("team-a", "gpus", 1_000_001, 10), "spec.weight"),
                argumentSet("waiting", put("team-a", "gpus", 1, 0), "spec.maxWaiting"));
    }

    @Test
    void queueOfAPoolThatIsNotThereYetWaitsThenIsRefused() {
        var put = put("team-a", "soon", 1, 10);
        assertThat(SettingsRules.decide(NOTHING, put, NOON)).isInstanceOf(Wait.class);
        var answer = (Answer) SettingsRules.decide(NOTHING, put, NOON.plusSeconds(2));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void deletionGoesToTheQueuesPool() {
        var delete = new DeleteQueue("team-a", NOON);
        assertThat(SettingsRules.decide(known(null, "gpus"), delete, NOON))
                .isEqualTo(new Forward("gpus", 2));
        assertThat(SettingsRules.decide(known(TO_GPUS, null), delete, NOON))
                .isEqualTo(new Forward("gpus", 2));
    }

    @Test
    void queueThatIsNotThereIsNotFound() {
        var delete = new DeleteQueue("team-a", NOON);
        for (var known : new Known[] {NOTHING, known(DELETED, null)}) {
            var answer = (Answer) SettingsRules.decide(known, delete, NOON);
            assertThat(answer.outcome()).isEqualTo(Outcome.NOT_FOUND);
        }
    }

    @ParameterizedTest
    @MethodSource
    void poolsNumberIsItsOwnForEver(String name, @Nullable Integer asked, @Nullable Integer gets) {
        var verdict = SettingsRules.decide(NOTHING, pool(name, asked), NOON);
        if (gets == null) {
            assertThat(((Answer) verdict).outcome()).isEqualTo(Outcome.CONFLICT);
        } else {
            assertThat(verdict).isEqualTo(new Forward(name, gets));
        }
    }

    static Stream<Arguments> poolsNumberIsItsOwnForEver() {
        return Stream.of(
                argumentSet("the lowest free one", "tpus", null, 1),
                argumentSet("a free one", "tpus", 63, 63),
                argumentSet("one that is taken", "tpus", 2, null),
                argumentSet("its own again", "gpus", 2, 2),
                argumentSet("its own, not named", "gpus", null, 2),
                argumentSet("another for an old pool", "gpus", 5, null));
    }

    @Test
    void thereAreNoMorePoolsThanInboxPartitions() {
        var all = new TreeMap<String, Integer>();
        IntStream.range(0, 64).forEach(i -> all.put("pool-" + i, i));
        var known = new Known(null, null, all);
        assertThat(((Answer) SettingsRules.decide(known, pool("tpus", null), NOON)).outcome())
                .isEqualTo(Outcome.CONFLICT);
    }

    @ParameterizedTest
    @MethodSource
    void poolOutsideItsRangeIsRefused(PutPool put, String path) {
        var answer = (Answer) SettingsRules.decide(NOTHING, put, NOON);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.problems()).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> poolOutsideItsRangeIsRefused() {
        return Stream.of(
                argumentSet("name", pool("a/b", null), "name"),
                argumentSet("number", pool("tpus", 64), "spec.number"),
                argumentSet("backend", new PutPool("tpus", null, Map.of(), false), "spec.backend"),
                argumentSet(
                        "selector",
                        new PutPool("tpus", null, Map.of("a", "b c"), true),
                        "spec.nodeSelector.a"));
    }

    private static Known known(@Nullable Sent sent, @Nullable String shownPool) {
        return new Known(sent, shownPool, POOLS);
    }

    private static PutQueue put(String name, String pool, int weight, int maxWaiting) {
        return new PutQueue(name, pool, weight, maxWaiting, NOON.plusSeconds(2));
    }

    private static PutPool pool(String name, @Nullable Integer number) {
        return new PutPool(name, number, Map.of(), true);
    }
}
