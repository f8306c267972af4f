package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Newcomers;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Several namespaces with quotas of all forms, which others use, too, and pods that may use more
 * than they request: nothing is placed that passes one.
 */
final class NamespaceChance implements Piece {
    private static final List<String> ALL = List.of("ml", "cv", "nlp");

    /** What quotas are of, and about how much. */
    private static final Map<String, Long> FORMS =
            new TreeMap<>(
                    Map.of(
                            "requests.cpu", 6_000L,
                            "cpu", 8_000L,
                            "pods", 8L,
                            "count/pods", 6L,
                            "limits.cpu", 12_000L,
                            "limits.memory", 4L << 30,
                            "requests.memory", 3L << 30));

    private final Random random;
    private final Newcomers newcomers = new Newcomers();
    private int weighed;

    NamespaceChance(long seed) {
        random = new Random(seed ^ 0x4a3eL);
    }

    @Override
    public String namespace(int job, String namespace) {
        return ALL.get(job % ALL.size());
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.NamespaceQuotaGone _ when random.nextBoolean() ->
                    new Event.NamespaceQuotaGone(WATCHER, some());
            case Event.NamespaceQuotaGone _, Event.NamespaceQuotaSeen _ ->
                    new Event.NamespaceQuotaSeen(WATCHER, some(), hard(), barred(), othersUse());
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, Respec.roles(spec, this::role), request);
            default -> event;
        };
    }

    /** Some have limits, of one resource or of both: as they request, or more. */
    private JobSpec.Role role(JobSpec.Role role) {
        var pod = role.pod();
        var limits = new TreeMap<>(pod.limits().byName());
        if (random.nextBoolean()) {
            limits.put("cpu", pod.demand().get("cpu") * (2 + random.nextInt(4)) / 2);
        }
        var memory = pod.memory();
        if (memory != null && random.nextBoolean()) {
            long besides = (1L << 28) * random.nextInt(4);
            long least = memory.requests().least() + besides;
            limits.put(Memory.RESOURCE, least);
            memory =
                    new Memory(
                            memory.asked(),
                            memory.request(),
                            memory.requests(),
                            new Memory.Share(least, besides),
                            memory.grown());
        }
        return Respec.limited(role, Amounts.of(limits), memory);
    }

    private String some() {
        return ALL.get(random.nextInt(ALL.size()));
    }

    private Amounts hard() {
        var hard = new TreeMap<String, Long>();
        FORMS.forEach((name, about) -> {
            if (random.nextInt(3) == 0) {
                hard.put(name, about / 2 + about * random.nextInt(9) / 8);
            }
        });
        return Amounts.of(hard);
    }

    /** Sometimes nothing at all is allowed of something. */
    private SortedSet<String> barred() {
        var names = List.copyOf(FORMS.keySet());
        var barred = new TreeSet<String>();
        if (random.nextInt(8) == 0) {
            barred.add(names.get(random.nextInt(names.size())));
        }
        return barred;
    }

    private Amounts othersUse() {
        var use = new TreeMap<String, Long>();
        FORMS.forEach((name, about) -> use.put(name, about * random.nextInt(4) / 10));
        return random.nextBoolean() ? Amounts.NONE : Amounts.of(use);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var more = new TreeMap<String, Map<String, Long>>();
        for (var came : newcomers.of(play)) {
            count(play, came.now(), 1, more);
            if (came.keptRoom() instanceof Rank before) {
                count(play, before, -1, more);
            }
        }
        if (more.isEmpty()) {
            return;
        }
        var all = new TreeMap<String, Map<String, Long>>();
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            var rank = (Rank) row;
            if (!rank.sight().released()) {
                count(play, rank, 1, all);
            } else if (!rank.sight().gone()) {
                all.computeIfAbsent(rank.job().namespace(), _ -> new TreeMap<>())
                        .merge("count/pods", 1L, Long::sum);
            }
        }
        for (var row : play.rows.getOrDefault(Row.Table.HOOK, new TreeMap<>()).values()) {
            if (((HookRun) row).making() != null) {
                var sum =
                        all.computeIfAbsent(
                                ((HookRun) row).job().namespace(), _ -> new TreeMap<>());
                sum.merge("pods", 1L, Long::sum);
                sum.merge("count/pods", 1L, Long::sum);
            }
        }
        for (var row : play.rows.getOrDefault(Row.Table.NAMESPACE, new TreeMap<>()).values()) {
            var quota = (NamespaceQuota) row;
            isKept(quota, more.get(quota.namespace()), all.get(quota.namespace()));
        }
    }

    /** Of pods that have no limits as much as they request is counted. */
    private static void count(
            Play play, Rank rank, long times, Map<String, Map<String, Long>> sums) {
        var pod = play.job(rank.job()).spec().podOf(rank);
        var sum = sums.computeIfAbsent(rank.job().namespace(), _ -> new TreeMap<>());
        sum.merge("pods", times, Long::sum);
        sum.merge("count/pods", times, Long::sum);
        sum.merge("cpu", times * pod.demand().get("cpu"), Long::sum);
        sum.merge("requests.cpu", times * pod.demand().get("cpu"), Long::sum);
        sum.merge("requests.memory", times * pod.demand().get("memory"), Long::sum);
        for (var resource : List.of("cpu", "memory")) {
            long most = Math.max(pod.limits().get(resource), pod.demand().get(resource));
            sum.merge("limits." + resource, times * most, Long::sum);
        }
    }

    private void isKept(
            NamespaceQuota quota,
            @Nullable Map<String, Long> more,
            @Nullable Map<String, Long> all) {
        if (more == null || all == null) {
            return;
        }
        quota.most()
                .forEach((name, hard) -> {
                    long used = all.get(name) + quota.othersUse().get(name);
                    weighed++;
                    if (more.get(name) > 0 && used > hard) {
                        throw new AssertionError(
                                "%s uses %d of %s: %s"
                                        .formatted(quota.namespace(), used, name, quota));
                    }
                });
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
