package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.ElasticJobs.elastic;
import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.job;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.PlannedHook;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One elastic job at play whose commands have hooks, and what is seen of those. */
final class HookedJob {
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration DRAIN = Duration.ofSeconds(30);
    static final Hook TELL = new Hook(List.of("tell", "a b"), new TreeMap<>(), MINUTE, 1);

    final Play play = Play.withNodes(4, 4);
    final JobId a = job("a", 1);
    final OneJob one = new OneJob(play, a);
    final List<RunPlan> plans = new ArrayList<>();
    private int requests;

    static Terms terms(boolean atomic) {
        return new Terms(Duration.ZERO, atomic, DRAIN, false, TELL);
    }

    Effect.Answer ask(Change change) {
        var request = new Request("ml/a", "r" + ++requests);
        play.on(new Event.ChangeAsked(a, change, request));
        var effects = play.takeEffects();
        keep(effects);
        return effects.stream()
                .filter(Effect.Answer.class::isInstance)
                .map(Effect.Answer.class::cast)
                .findFirst()
                .orElseThrow();
    }

    void keep(List<Effect> effects) {
        effects.stream()
                .filter(RunPlan.class::isInstance)
                .map(RunPlan.class::cast)
                .forEach(plans::add);
    }

    /** Of the newest plan. */
    @Nullable PlannedHook planned() {
        play.pass(Jobs.PUBLISH_DELAY);
        keep(play.takeEffects());
        return plans.getLast().hook();
    }

    PlannedHook ordered() {
        return Objects.requireNonNull(planned());
    }

    Scaling scaling() {
        return Objects.requireNonNull(play.job(a).past().scaling());
    }

    Stage stage() {
        return scaling().stage();
    }

    List<String> members() {
        return ranks().stream()
                .filter(rank -> !rank.isLeaving())
                .map(r -> r.id().toString())
                .toList();
    }

    List<Rank> ranks() {
        return play.rows.get(Row.Table.RANK).values().stream().map(Rank.class::cast).toList();
    }

    void see(PodPhase phase, int incarnation, @Nullable ContainerEnd end) {
        see(phase, incarnation, end, null);
    }

    void see(
            PodPhase phase,
            int incarnation,
            @Nullable ContainerEnd end,
            Event.@Nullable Hindrance hindrance) {
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        new Event.Pod(
                                mark(incarnation),
                                one.nextVersion(),
                                phase,
                                "node-0",
                                false,
                                false,
                                false,
                                end,
                                hindrance,
                                "",
                                "",
                                null)));
    }

    Event.PodMark mark(int incarnation) {
        var attempt = play.job(a).fences().attempt();
        return new Event.PodMark(Hook.RANK, attempt, incarnation, 1, "hook-" + incarnation);
    }

    void ends(int exitCode, String output) {
        var reason = exitCode == 0 ? "Completed" : "Error";
        var phase = exitCode == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        see(phase, ordered().incarnation(), new ContainerEnd(exitCode, reason, output));
    }

    void grow(boolean atomic) {
        one.runs(elastic("default", 2, 3, 6));
        ask(new ScaleOut("worker", 1, terms(atomic)));
        one.seeNewest(3, PodPhase.RUNNING, null);
    }

    void shrink(boolean atomic) {
        one.runs(elastic("default", 2, 4, 6));
        ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(atomic)));
    }

    /** Every try of it. */
    void failsForGood() {
        ends(2, "no");
        play.pass(MINUTE);
        ends(3, "never");
    }

    void stops() {
        one.applied(false);
        for (var rank : ranks()) {
            play.on(new Event.PodGone(WATCHER, a, markOf(rank)));
        }
        one.applied(true);
    }

    static Event.PodMark markOf(Rank rank) {
        var uid = Objects.requireNonNull(rank.sight().podUid());
        var making = rank.making();
        return new Event.PodMark(rank.id(), making.attempt(), making.incarnation(), 1, uid);
    }

    List<Effect.PlannedPod> hosts() {
        return plans.getLast().pods().stream().filter(pod -> pod.part().host()).toList();
    }

    List<Effect.PlannedPod> drains() {
        return plans.getLast().pods().stream().filter(p -> p.part().drain() != null).toList();
    }
}
