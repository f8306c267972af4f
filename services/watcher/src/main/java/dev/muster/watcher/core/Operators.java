package dev.muster.watcher.core;

import dev.muster.watcher.core.Report.GroupSeen;
import dev.muster.watcher.core.Report.RestartFailed;
import dev.muster.watcher.core.WatchedPod.PodName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What others in the cluster say of what is ours: Volcano of groups, OpenKruise of containers that
 * were to start again. By the names of their objects.
 */
final class Operators {
    private final Map<PodName, GroupReport> groups = new TreeMap<>();
    private final Map<PodName, FailedRestart> restarts = new TreeMap<>();

    /** What is to be told; empty: it is no news. */
    Optional<Report> heard(GroupReport group) {
        var last = groups.put(new PodName(group.job().namespace(), group.name()), group);
        return last == null || group.tellsMoreThan(last)
                ? Optional.of(new GroupSeen(group))
                : Optional.empty();
    }

    /** What is to be told; empty: it was told. What is given up stays so. */
    Optional<Report> heard(FailedRestart failed) {
        var name = new PodName(failed.pod().job().namespace(), failed.request());
        var last = restarts.put(name, failed);
        return last == null || !last.pod().equals(failed.pod())
                ? Optional.of(new RestartFailed(failed))
                : Optional.empty();
    }

    void forgetGroup(PodName name) {
        groups.remove(name);
    }

    void forgetRestart(PodName name) {
        restarts.remove(name);
    }

    /** All that there is to say of a pool. */
    Stream<Report> of(String pool) {
        return Stream.concat(
                groups.values().stream()
                        .filter(group -> group.pool().equals(pool))
                        .map(GroupSeen::new),
                restarts.values().stream()
                        .filter(failed -> failed.pool().equals(pool))
                        .map(RestartFailed::new));
    }
}
