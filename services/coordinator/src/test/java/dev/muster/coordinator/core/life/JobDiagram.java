package dev.muster.coordinator.core.life;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.tally;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;

import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Draws the state machine by walking the rules breadth first. */
public final class JobDiagram {
    /** One that is stopped at once, and one that is asked before to save. */
    static final List<JobSpec> SPECS = List.of(workers(2, 1), CheckpointJobs.byFile(workers(2, 1)));

    private JobDiagram() {}

    /** One of each kind that the rules can be given; times lie after every back-off. */
    public static List<JobEvent> events() {
        return List.of(
                new JobEvent.Submitted(false, false),
                new JobEvent.Submitted(true, false),
                new JobEvent.Submitted(false, true),
                new JobEvent.Refused("QueueFull", ""),
                new JobEvent.GangPlaced(Duration.ZERO),
                new JobEvent.BackoffPassed(),
                new JobEvent.RanksChanged(tally(2, 2, 0, 0), JobEvent.OpenRoles.NONE),
                new JobEvent.RanksChanged(tally(2, 0, 2, 0), JobEvent.OpenRoles.NONE),
                new JobEvent.RanksChanged(tally(2, 1, 0, 1), JobEvent.OpenRoles.NONE),
                new JobEvent.RanksChanged(
                        tally(2, 1, 0, 0),
                        new JobEvent.OpenRoles(
                                new TreeSet<>(Set.of("worker")), new TreeSet<>(), Duration.ZERO)),
                new JobEvent.GaveUp(new End(Phase.FAILED, "Error", "")),
                new JobEvent.RestartDecided(NOON, "Error", ""),
                new JobEvent.RoomLost(""),
                new JobEvent.NodesLost(""),
                new JobEvent.DeadlinePassed(new End(Phase.FAILED, "DeadlineExceeded", "")),
                new JobEvent.GangTimedOut(""),
                new JobEvent.PlanRefused("PodRefused", ""),
                new JobEvent.CancelAsked(null, ""),
                new JobEvent.Cleared(),
                new JobEvent.DependencyFailed(""),
                new JobEvent.HoldAsked(""),
                new JobEvent.ReleaseAsked(false),
                new JobEvent.ReleaseAsked(true),
                new JobEvent.SuspendAsked(null, ""),
                new JobEvent.ResumeAsked(false),
                new JobEvent.ResumeAsked(true),
                new JobEvent.Preempted(""),
                new JobEvent.NodesGo(""),
                new JobEvent.NodesStay(),
                new JobEvent.CheckpointOver(),
                new JobEvent.StageOrdered(Duration.ZERO),
                new JobEvent.PodsGone(),
                new JobEvent.GoneConfirmed(),
                new JobEvent.GoneDenied(),
                new JobEvent.KeepingOver());
    }

    /** Every state that is reached from nothing; counters are followed once. */
    public static Set<JobState> states() {
        var seen = new LinkedHashSet<JobState>();
        var open = new ArrayDeque<JobState>();
        open.add(new JobState.Absent());
        while (!open.isEmpty()) {
            var state = open.remove();
            if (seen.add(state)) {
                nexts(state).map(Next::state).filter(JobDiagram::isShallow).forEach(open::add);
            }
        }
        return seen;
    }

    /** As Mermaid's state diagram: one arrow per pair of phases, with the events that lead over. */
    static String mermaid() {
        var arrows = new TreeMap<String, Set<String>>();
        for (var state : states()) {
            nexts(state)
                    .forEach(next -> {
                        var from = name(state);
                        var to = name(next.state());
                        if (!from.equals(to)) {
                            arrows.computeIfAbsent(from + " --> " + to, _ -> new TreeSet<>())
                                    .add(next.event().getClass().getSimpleName());
                        }
                    });
        }
        var lines = new StringBuilder("stateDiagram-v2\n");
        arrows.forEach((arrow, events) ->
                lines.append("    ")
                        .append(arrow)
                        .append(" : ")
                        .append(String.join(", ", events))
                        .append('\n'));
        return lines.toString();
    }

    private record Next(JobEvent event, JobState state) {}

    private static Stream<Next> nexts(JobState state) {
        return SPECS.stream()
                .flatMap(spec -> events().stream().flatMap(event -> next(state, event, spec)));
    }

    private static Stream<Next> next(JobState state, JobEvent event, JobSpec spec) {
        return JobRules.decide(state, event, spec, NOON) instanceof Move(var next, _)
                ? Stream.of(new Next(event, next))
                : Stream.empty();
    }

    private static boolean isShallow(JobState state) {
        return switch (state) {
            case JobState.Queued(var takenBack, _, _) -> takenBack <= 1;
            case JobState.Starting(var takenBack, _, _, _, _) -> takenBack <= 1;
            case JobState.Running(var takenBack, _, _, _) -> takenBack <= 1;
            case JobState.Suspended(var takenBack, _, _, _) -> takenBack <= 1;
            case JobState.Leaving leaving -> leaving.takenBack() <= 1;
            default -> true;
        };
    }

    private static String name(JobState state) {
        if (state instanceof JobState.Absent) {
            return "[*]";
        }
        var phase = state.phase().name();
        return phase.charAt(0) + phase.substring(1).toLowerCase(Locale.ROOT);
    }
}
