package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Role;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of three and four roles that wait for each other in chains and for two at a time. What waits
 * to run or to be ready is placed with what it waits for, whenever that is, and no pod of it comes
 * before.
 */
final class StageChance implements Piece {
    private final Random random;
    private final Map<JobId, Attempt> opened = new HashMap<>();
    private int weighed;

    /** What was open of it when it was looked at last. */
    private record Attempt(int number, Set<String> roles) {}

    StageChance(long seed) {
        random = new Random(seed ^ 0x57a6eL);
    }

    @Override
    public Event of(Event event) {
        boolean isTied = event instanceof Event.Submitted && random.nextInt(3) > 0;
        return isTied
                        && event instanceof Event.Submitted(var id, var spec, var request)
                        && spec.work().elastic() == null
                ? new Event.Submitted(id, Respec.of(spec, roles()), request)
                : event;
    }

    private List<Role> roles() {
        var data = Fixtures.role("data", 1 + random.nextInt(2), 1);
        var master = Fixtures.role("master", 1, 1 + random.nextInt(2));
        var worker = some(Fixtures.role("worker", 1 + random.nextInt(3), 1));
        var last = some(Fixtures.role("eval", 1 + random.nextInt(2), 1));
        return switch (random.nextInt(6)) {
            case 0 ->
                    List.of(data, behind(master, succeeded("data")), behind(worker, up("master")));
            case 1 ->
                    List.of(data, behind(master, up("data")), behind(worker, succeeded("master")));
            case 2 -> List.of(data, master, behind(worker, succeeded("data"), up("master")));
            case 3 -> List.of(data, master, behind(worker, up("data"), up("master")));
            case 4 ->
                    List.of(
                            data,
                            behind(master, succeeded("data")),
                            behind(worker, up("master")),
                            behind(last, up("worker"), up("master")));
            default ->
                    List.of(
                            data,
                            behind(master, succeeded("data")),
                            behind(worker, up("master")),
                            behind(last, succeeded("master"), up("worker")));
        };
    }

    private Role some(Role role) {
        return random.nextBoolean() ? role : Fixtures.atLeast(1, role);
    }

    private DependsOn up(String role) {
        boolean isReady = random.nextInt(3) == 0;
        return new DependsOn(role, isReady ? Milestone.READY : Milestone.RUNNING);
    }

    private static DependsOn succeeded(String role) {
        return new DependsOn(role, Milestone.SUCCEEDED);
    }

    private static Role behind(Role role, DependsOn... others) {
        return Fixtures.behindAll(role, others);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            if (job.state().grows() && job.spec().work().elastic() == null) {
                for (var role : job.spec().roles()) {
                    isPlacedWithOthers(play, job, role);
                    isOpenAfterOthers(play, job, role);
                }
                opened.put(
                        job.id(),
                        new Attempt(job.fences().attempt(), new HashSet<>(job.past().opened())));
            }
        }
    }

    private void isPlacedWithOthers(Play play, Job job, Role role) {
        boolean isTied =
                role.dependsOn().stream()
                        .allMatch(on ->
                                on.until() != Milestone.SUCCEEDED
                                        && !ranks(play, job, on.role()).isEmpty());
        int there = ranks(play, job, role.name()).size();
        if (isTied && there < role.min()) {
            throw new AssertionError(
                    "%s has %d of %s beside what that waits for"
                            .formatted(job.id(), there, role.name()));
        }
        boolean isFirst = role.dependsOn().isEmpty() || job.past().opened().contains(role.name());
        weighed += isTied && !isFirst ? 1 : 0;
    }

    private void isOpenAfterOthers(Play play, Job job, Role role) {
        if (!job.past().opened().contains(role.name())) {
            var ranks = ranks(play, job, role.name());
            if (!ranks.stream().allMatch(rank -> rank.sight().podUid() == null)) {
                throw new AssertionError(
                        "%s of %s came too early: %s"
                                .formatted(role.name(), job.id(), play.ranks(job.id())));
            }
            return;
        }
        var before = opened.get(job.id());
        boolean wasOpen =
                before != null
                        && before.number() == job.fences().attempt()
                        && before.roles().contains(role.name());
        for (var on : role.dependsOn()) {
            if (!wasOpen && !isMet(play, job, on)) {
                throw new AssertionError(
                        "%s of %s goes on without %s: %s"
                                .formatted(role.name(), job.id(), on, play.ranks(job.id())));
            }
        }
    }

    private static boolean isMet(Play play, Job job, DependsOn on) {
        var ranks = ranks(play, job, on.role());
        long fine =
                ranks.stream()
                        .filter(rank ->
                                rank.state() == RankState.SUCCEEDED
                                        || runs(rank)
                                                && (on.until() == Milestone.RUNNING
                                                        || on.until() == Milestone.READY
                                                                && rank.sight().ready()))
                        .count();
        return fine >= job.spec().role(on.role()).min();
    }

    /** Or did before what is said of an earlier run in its pod was judged. */
    private static boolean runs(Rank rank) {
        return rank.state() == RankState.RUNNING || rank.is(InPlace.DONE);
    }

    private static List<Rank> ranks(Play play, Job job, String role) {
        return play.ranks(job.id()).stream().filter(rank -> rank.id().role().equals(role)).toList();
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
