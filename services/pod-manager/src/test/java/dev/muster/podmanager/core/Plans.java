package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Grouping.Group;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Range;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Stop;
import dev.muster.podmanager.core.Plan.Wanted;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Plans and lists for tests: job ml/resnet, a master and two workers. */
final class Plans {
    static final JobName RESNET = new JobName("ml", "resnet");
    static final String UID = "3-100";
    static final String OLDER = "3-99";
    static final String NEWER = "3-101";
    static final Rank MASTER = new Rank("master", 0);
    static final Rank WORKER_0 = new Rank("worker", 0);
    static final Rank WORKER_1 = new Rank("worker", 1);

    private Plans() {}

    static Agent.Files agent() {
        return new Agent.Files("its source", "a secret");
    }

    static Ssh.Keys keys() {
        return new Ssh.Keys(
                new Ssh.Pair("the launcher's secret\n", "ssh-ed25519 LAUNCHER"),
                new Ssh.Pair("the hosts' secret\n", "ssh-ed25519 HOSTS"));
    }

    static Plan plan(int attempt, long version, Wanted wanted) {
        return new Plan(
                new Submission(RESNET, UID),
                "default",
                "team-a",
                attempt,
                version,
                false,
                "0-7/1",
                wanted);
    }

    static Plan planOf(String uid, long version, Wanted wanted) {
        return new Plan(
                new Submission(RESNET, uid),
                "default",
                "team-a",
                1,
                version,
                false,
                "0-7/1",
                wanted);
    }

    static Plan gang(int attempt, long version) {
        return plan(
                attempt,
                version,
                run(planned(MASTER, 1), planned(WORKER_0, 2), planned(WORKER_1, 3)));
    }

    static Plan stopping(Keep keep) {
        return plan(1, 5, new Stop(Duration.ofSeconds(30), keep, all(), Backend.NONE, false, null));
    }

    static Run run(PlannedPod... pods) {
        return torch("1", null, List.of(role("master", 1), role("worker", 2)), pods);
    }

    static Run torch(
            String nprocPerNode, @Nullable Range elastic, List<Role> roles, PlannedPod... pods) {
        return RunBuilder.of(Framework.PYTORCH, roles, pods)
                .nprocPerNode(nprocPerNode)
                .labels(Map.of("team", "vision"))
                .annotations(Map.of("note", "first try"))
                .elastic(elastic)
                .build();
    }

    static Run plain(List<Role> roles, PlannedPod... pods) {
        return RunBuilder.of(Framework.NONE, roles, pods).build();
    }

    /** The gang, of which so many may not be evicted. */
    static Plan guarded(int least) {
        return plan(1, 1, RunBuilder.like(run(planned(MASTER, 1))).leastAvailable(least).build());
    }

    /** The gang as a backend is to bind it, as two groups. */
    static Plan grouped(int attempt, long version) {
        var run = run(planned(MASTER, 1), planned(WORKER_0, 2));
        var groups =
                List.of(group("master", Map.of("master", 1)), group("worker", Map.of("worker", 1)));
        var grouping =
                new Grouping(
                        Backend.VOLCANO, "team-a", groups, Map.of("rack", "a"), List.of("node-z"));
        return plan(attempt, version, RunBuilder.like(run).grouping(grouping).build());
    }

    private static Group group(String role, Map<String, Integer> minimum) {
        return new Group(role, new TreeMap<>(minimum), new TreeMap<>());
    }

    static Plan stoppingGroups(Keep keep) {
        return plan(
                1, 5, new Stop(Duration.ofSeconds(30), keep, all(), Backend.VOLCANO, false, null));
    }

    static Seen groupOf(String name, int attempt, long plan) {
        var mark = new Mark(UID, attempt, plan, null);
        return Seen.of(Kind.VOLCANO_GROUP, name, "u-" + name, mark);
    }

    static Seen budget(int attempt) {
        var mark = new Mark(UID, attempt, 1, null);
        return Seen.of(Kind.DISRUPTION_BUDGET, "resnet", "u-budget", mark);
    }

    static Role role(String name, int replicas) {
        return new Role(
                name, replicas, false, template(), false, "main", 0, false, List.of(), 0, null);
    }

    static PlannedPod planned(Rank rank, int incarnation) {
        return new PlannedPod(rank, incarnation, null, null);
    }

    static PodTemplateSpec template() {
        return new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("python:3.12")
                .withCommand("python3", "train.py")
                .endContainer()
                .endSpec()
                .build();
    }

    static Listing listing(Seen... objects) {
        return new Listing(List.of(objects));
    }

    /** All of the gang, and its service. */
    static Listing whole() {
        return listing(
                service(1), pod(MASTER, 1, 1, 1), pod(WORKER_0, 1, 1, 2), pod(WORKER_1, 1, 1, 3));
    }

    static Seen pod(Rank rank, int attempt, long plan, int incarnation) {
        return podOf(UID, rank, attempt, plan, incarnation);
    }

    static Seen podOf(String uid, Rank rank, int attempt, long plan, int incarnation) {
        return Seen.of(
                Kind.POD,
                rank.podName(RESNET),
                "u-%s-%s-%d".formatted(uid, rank.podName(RESNET), incarnation),
                new Mark(uid, attempt, plan, new Mark.Making(rank, incarnation)));
    }

    static Seen service(int attempt) {
        return serviceOf(UID, attempt);
    }

    static Seen serviceOf(String uid, int attempt) {
        return Seen.of(Kind.SERVICE, "resnet", "u-service", new Mark(uid, attempt, 1, null));
    }

    static Seen deleting(Seen seen) {
        return seen.asDeleting(null);
    }

    /** All pods of these ranks. */
    static Forced all(Rank... ranks) {
        var before = new HashMap<Rank, Integer>();
        List.of(ranks).forEach(rank -> before.put(rank, Forced.ALL));
        return new Forced(before);
    }

    /** It is to be gone at once, and something keeps it. */
    static Seen forced(Seen pod) {
        return pod.asDeleting(0L);
    }

    static Seen ended(Seen seen) {
        return seen.asEnded();
    }

    static Seen foreign(Kind kind, String name) {
        return Seen.of(kind, name, "u-foreign", null);
    }
}
