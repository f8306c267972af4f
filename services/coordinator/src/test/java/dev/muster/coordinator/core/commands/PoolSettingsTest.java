package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Answer;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PoolChange;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.schemas.contract.Answers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of some fields of a pool. */
class PoolSettingsTest {
    private static final PoolSpec ALL =
            new PoolSpec(
                    new TreeMap<>(Map.of("zone", "a", "kind", "gpu")),
                    QueuePolicy.FIFO,
                    new PoolSpec.Preemption(Mode.BORROWERS, Duration.ofMinutes(1), 7),
                    new PoolSpec.Priorities(
                            new TreeMap<>(Map.of("high", 9, "low", -9)), Duration.ofHours(1), 5),
                    new PoolSpec.Spot(
                            new TreeMap<>(Map.of("spot", "yes")),
                            List.of(new NodeFilter.Toleration("spot", true, "", null))),
                    new Backing(Backend.VOLCANO, true, "gangs"));

    private final Play play = Play.withNodes(4);

    PoolSettingsTest() {
        play.takeEffects();
    }

    private int asked;

    /** Another one each time: a repeat gets the first answer. */
    private Request request() {
        asked++;
        return new Request("ml/a", "r-" + asked);
    }

    @Test
    void eachKindOfNoticesIsChangedAlone() {
        var said = new PoolSpec.Notices(List.of("taint"), List.of("Condition"), List.of("note"));
        var usual = PoolSpec.PLAIN.notices();
        change(Nodes.noticing(said), "notices.conditions");
        assertThat(spec().notices())
                .isEqualTo(
                        new PoolSpec.Notices(
                                usual.taints(), said.conditions(), usual.annotations()));
        change(Nodes.noticing(said), "notices.taints", "notices.annotations");
        assertThat(spec().notices()).isEqualTo(said);
    }

    @Test
    void changesOfTwoOperatorsAreBothKept() {
        change(ALL, "policy", "aging.step");
        change(PoolSpec.PLAIN, "minimumRun");
        change(ALL, "preemption", "priorityClasses.high");
        assertThat(spec())
                .isEqualTo(
                        new PoolSpec(
                                new TreeMap<>(),
                                QueuePolicy.FIFO,
                                new PoolSpec.Preemption(Mode.BORROWERS, Duration.ofMinutes(10), 3),
                                new PoolSpec.Priorities(
                                        new TreeMap<>(Map.of("high", 9)),
                                        Duration.ofHours(1),
                                        1000),
                                PoolSpec.Spot.NONE,
                                Backing.NONE));
        assertThat(play.take(Effect.PoolState.class))
                .extracting(Effect.PoolState::spec)
                .last()
                .isEqualTo(spec());
    }

    @Test
    void everyFieldCanBeNamed() {
        change(
                ALL,
                "nodeSelector",
                "backend",
                "capacity",
                "backendQueue",
                "policy",
                "preemption",
                "minimumRun",
                "preemptionBudget",
                "priorityClasses",
                "aging",
                "spot");
        assertThat(spec()).isEqualTo(ALL);
    }

    @Test
    void whatAChangeNamesAndDoesNotHaveIsTakenAway() {
        play.on(new Event.PoolPut("default", ALL, null));
        change(
                PoolSpec.PLAIN,
                "nodeSelector.zone",
                "priorityClasses.low",
                "spot.nodeSelector.spot",
                "spot.tolerations",
                "backendQueue",
                "capacity");
        assertThat(spec())
                .isEqualTo(
                        new PoolSpec(
                                new TreeMap<>(Map.of("kind", "gpu")),
                                ALL.policy(),
                                ALL.preemption(),
                                new PoolSpec.Priorities(
                                        new TreeMap<>(Map.of("high", 9)), Duration.ofHours(1), 5),
                                PoolSpec.Spot.NONE,
                                new Backing(Backend.VOLCANO, false, null)));
    }

    @Test
    void changeThatChangesNothingIsAcceptedAndPublishesNothing() {
        change(ALL);
        assertIsUnchanged();
        play.on(new Event.PoolPut("default", PoolSpec.PLAIN, request()));
        assertThat(play.takeOne(Answer.class).message()).isEqualTo(Answers.UNCHANGED);
    }

    private void assertIsUnchanged() {
        assertThat(play.takeEffects())
                .singleElement()
                .isInstanceOfSatisfying(
                        Answer.class,
                        answer ->
                                assertThat(answer)
                                        .returns(Outcome.ACCEPTED, Answer::outcome)
                                        .returns(Answers.UNCHANGED, Answer::message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity", "backendQueue"})
    void changeThatDoesNotGoWithTheRestIsRefused(String field) {
        change(ALL, field);
        assertThat(play.takeOne(Answer.class))
                .returns(Outcome.REFUSED, Answer::outcome)
                .extracting(Answer::message)
                .asString()
                .endsWith("needs a backend that chooses the nodes, such as volcano");
        assertThat(spec()).isEqualTo(PoolSpec.PLAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"polcy", "aging.more", "nodeSelectors.zone", "spot.labels"})
    void fieldThatNoPoolHasIsRefused(String field) {
        change(ALL, field);
        assertThat(play.takeOne(Answer.class))
                .returns(Outcome.REFUSED, Answer::outcome)
                .returns("spec.%s is no field of a pool".formatted(field), Answer::message)
                .returns(new Fault("spec." + field, "", "is no field of a pool"), Answer::fault);
    }

    @Test
    void poolThatIsNotThereIsMadeWithAllThatTheChangeSays() {
        var fresh = new Play();
        fresh.on(new PoolChange("default", ALL, names("policy"), request()));
        assertThat(((Settings) fresh.rows.get(Row.Table.SETTINGS).get("")))
                .returns("default", Settings::name)
                .returns(ALL, Settings::spec);
    }

    @Test
    void numberOfAnotherPoolIsAConflict() {
        play.on(new PoolChange("other", ALL, names("policy"), request()));
        assertThat(play.takeOne(Answer.class).outcome()).isEqualTo(Outcome.CONFLICT);
    }

    @Test
    void backendIsNotChangedUnderPods() {
        play.on(new Event.Submitted(job("a", 1), workers(1, 1), null));
        play.takeEffects();
        change(ALL, "backend");
        assertThat(play.takeOne(Answer.class).message())
                .isEqualTo(
                        "spec.backend must stay as it is while 1 jobs have pods: suspend them first");
    }

    private void change(PoolSpec spec, String... fields) {
        play.on(new PoolChange("default", spec, names(fields), request()));
    }

    private static SortedSet<String> names(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private PoolSpec spec() {
        return ((Settings) play.rows.get(Row.Table.SETTINGS).get("")).spec();
    }
}
