package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Toleration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Queues and pools to be changed at one place: what is not said is as the contract has it. */
final class Settings {
    private Settings() {}

    static final class OfQueue {
        String pool = "default";
        int weight = 1;
        int maxWaiting = 1_000_000;
        Map<String, Long> guaranteed = new TreeMap<>();
        Map<String, Long> limit = new TreeMap<>();
        @Nullable Map<String, Long> borrowLimit;
        @Nullable Map<String, Long> lendLimit;
        @Nullable Integer maxRunning;
        boolean orderKnown = true;
        Duration reserveAfter = Duration.ofMinutes(5);
        int defaultPriority;
        List<String> namespaces = new ArrayList<>();
        @Nullable String group;
    }

    static final class OfPool {
        @Nullable Integer number;
        Map<String, String> nodeSelector = new TreeMap<>();
        Duration minimumRun = Duration.ofMinutes(10);
        int preemptionBudget = 3;
        Map<String, Integer> priorityClasses = new TreeMap<>();
        Duration agingStep = Duration.ZERO;
        int agingMost = 1000;
        Map<String, String> spotSelector = new TreeMap<>();
        Map<String, List<String>> notices = new TreeMap<>();
        Duration nodeHealthHalfLife = Duration.ofHours(6);
        int nodeHealthExcludeAt;
        List<Toleration> spotTolerations = new ArrayList<>();
        PoolSettings.Backing backing = PoolSettings.Backing.NONE;
        List<String> unknown = new ArrayList<>();
    }

    static QueueSettings queue(Consumer<OfQueue> change) {
        var queue = new OfQueue();
        change.accept(queue);
        return new QueueSettings(
                queue.pool,
                queue.weight,
                queue.maxWaiting,
                queue.guaranteed,
                queue.limit,
                queue.borrowLimit,
                queue.lendLimit,
                queue.maxRunning,
                queue.orderKnown,
                queue.reserveAfter,
                queue.defaultPriority,
                queue.namespaces,
                queue.group);
    }

    static PoolSettings pool(Consumer<OfPool> change) {
        var pool = new OfPool();
        change.accept(pool);
        return new PoolSettings(
                pool.number,
                pool.nodeSelector,
                pool.minimumRun,
                pool.preemptionBudget,
                pool.priorityClasses,
                pool.agingStep,
                pool.agingMost,
                pool.spotSelector,
                pool.spotTolerations,
                pool.backing,
                pool.notices,
                new PoolSettings.NodeHealth(pool.nodeHealthHalfLife, pool.nodeHealthExcludeAt),
                pool.unknown);
    }
}
