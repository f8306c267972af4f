package dev.muster.deploy;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How far jobs have come in their situations, as the statuses and the cluster have it. */
record Progress(String namespace, JobStatuses statuses) {
    JobStatus status(String name) {
        return statuses.of(namespace, name).orElseThrow();
    }

    boolean isAt(String name, Phase phase) {
        return isAt(name, Set.of(phase));
    }

    boolean isAt(String name, Set<Phase> phases) {
        return statuses.of(namespace, name)
                .map(JobStatus::getPhase)
                .filter(phases::contains)
                .isPresent();
    }

    /** Whether all is there that its situation begins with. */
    boolean canBegin(String name, Situation situation) {
        return isAt(name, situation.begins())
                && switch (situation) {
                    // What is left before that would go with the rest of its job.
                    case SWEPT -> new JobRecords(namespace).isGone(name);
                    case FORCED -> status(name).getReason().equals("NodeLost");
                    case NOTICED, GIVING, IN_PLACE -> workforce(name).is(Set.of(0, 1));
                    case WITHDRAWN, RECALLED, RELIEVED -> isUnderWay(name, situation);
                    default -> true;
                };
    }

    /** Who does not run yet leaves at once, and never drains. */
    boolean hasItsWorkers(String name, Situation situation) {
        var all = IntStream.range(0, situation.workers()).boxed().collect(Collectors.toSet());
        return workforce(name).is(all);
    }

    /** Who leaves drains; or who came runs, and is not ready. */
    private boolean isUnderWay(String name, Situation situation) {
        return isScaling(name, ScaleStage.SCALING)
                && (situation != Situation.WITHDRAWN || workforce(name).isRunning(1));
    }

    /** What it is asked to save for, and has not answered. */
    Optional<String> openAsk(String name) {
        return statuses.of(namespace, name)
                .map(JobStatus::getCheckpoint)
                .filter(checkpoint -> checkpoint.getStage() == CheckpointStage.ASKED)
                .map(JobCheckpoint::getId);
    }

    boolean wasScaled(String name, Situation situation) {
        return isScaling(name, situation.scaled());
    }

    private boolean isScaling(String name, ScaleStage stage) {
        return statuses.of(namespace, name)
                .map(JobStatus::getScaling)
                .filter(scaling -> scaling.getStage() == stage)
                .isPresent();
    }

    /** Whether nothing more happens to it, but that its workers become those that it has then. */
    boolean isOver(String name, Situation situation) {
        return switch (situation) {
            case GIVING -> isAt(SituationJob.takerOf(name), Phase.SUCCEEDED);
            case NOTICED -> isAt(name, Phase.RUNNING);
            case IN_PLACE -> hasStartedAgain(name);
            default -> wasScaled(name, situation);
        };
    }

    /** It is charged with that, and its worker runs for the second time. */
    private boolean hasStartedAgain(String name) {
        return isAt(name, Phase.RUNNING)
                && status(name).getRestarts().getOwn() == 1
                && workforce(name).restarts(1) == 1;
    }

    /**
     * Where a command of scale came to nothing, the workers from before are there, or who came in
     * their place, and no other; where it grew, those and who came; where they had to leave their
     * node, who came elsewhere. Their launcher knows it.
     */
    boolean isWhole(String name, Situation situation) {
        var workers = situation.workersAfter();
        return workers.isEmpty()
                || workers.stream()
                        .anyMatch(some -> isWished(name, some.size()) && workforce(name).is(some));
    }

    /** Whether its launcher's list of hosts has these workers. */
    boolean hasListed(String name, Set<Integer> workers) {
        return workforce(name).isListed(workers);
    }

    private boolean isWished(String name, int workers) {
        return status(name).getRoles().stream()
                .filter(role -> role.getName().equals("worker"))
                .allMatch(role -> role.getDesired() == workers);
    }

    private Workforce workforce(String name) {
        return new Workforce(namespace, name);
    }
}
