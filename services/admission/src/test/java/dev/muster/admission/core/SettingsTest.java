package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.PodNeeds.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final long MOST = 1_000_000_000_000_000_000L;
    private static final Map<String, Long> HUGE = Map.of("memory", Long.MAX_VALUE);

    @Test
    void whatNobodySaidIsFine() {
        assertThat(problems(Settings.queue(q -> {}))).isEmpty();
        assertThat(problems(Settings.pool(p -> {}))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void queueOutsideItsRangeIsRefused(Consumer<Settings.OfQueue> change, String path) {
        assertThat(problems(Settings.queue(change)))
                .extracting(Problem::path)
                .containsExactly(path);
    }

    static Stream<Arguments> queueOutsideItsRangeIsRefused() {
        return Stream.of(
                queue("pool", q -> q.pool = "", "spec.pool"),
                queue("weight 0", q -> q.weight = 0, "spec.weight"),
                queue("weight", q -> q.weight = 1_000_001, "spec.weight"),
                queue("waiting", q -> q.maxWaiting = 0, "spec.maxWaiting"),
                queue("share", q -> q.guaranteed.put("cpu", -1L), "spec.guaranteed.cpu"),
                queue("limit", q -> q.limit.put(GPU, -1L), "spec.limit['nvidia.com/gpu']"),
                queue("lend", q -> q.lendLimit = Map.of("cpu", -1L), "spec.lendLimit.cpu"),
                queue("borrow", q -> q.borrowLimit = Map.of("cpu", -1L), "spec.borrowLimit.cpu"),
                queue("huge", q -> q.guaranteed.put("cpu", MOST + 1), "spec.guaranteed.cpu"),
                queue("huge limit", q -> q.limit.put(GPU, MOST + 1), "spec.limit['" + GPU + "']"),
                queue("huge lend", q -> q.lendLimit = HUGE, "spec.lendLimit.memory"),
                queue("huge borrow", q -> q.borrowLimit = HUGE, "spec.borrowLimit.memory"),
                queue("resource", q -> q.limit.put("a b", 1L), "spec.limit['a b']"),
                queue("running", q -> q.maxRunning = 0, "spec.maxRunning"),
                queue("order", q -> q.orderKnown = false, "spec.order"),
                queue("reserve", q -> q.reserveAfter = Duration.ofMillis(-1), "spec.reserveAfter"),
                queue("default", q -> q.defaultPriority = 1_000_000_001, "spec.defaultPriority"),
                queue("namespace", q -> q.namespaces = List.of("a", "B"), "spec.namespaces[1]"),
                queue("group", q -> q.group = "", "spec.group"));
    }

    @Test
    void amountOfMoreThanAnybodyHasIsToldAsItIsWritten() {
        var queue =
                Settings.queue(q -> {
                    q.limit = Map.of("cpu", 5 * MOST, "memory", 5 * MOST);
                    q.guaranteed = Map.of("cpu", MOST, "memory", MOST);
                });
        assertThat(problems(queue))
                .containsExactly(
                        new Problem(
                                "spec.limit.cpu",
                                "5000000000000000",
                                "must be at most 1,000,000,000,000,000"),
                        new Problem(
                                "spec.limit.memory",
                                "5000000000000000000",
                                "must be at most 1,000,000,000,000,000,000"));
    }

    @Test
    void limitBelowTheGuaranteeIsRefusedResourceByResource() {
        var queue =
                Settings.queue(q -> {
                    q.guaranteed = Map.of("cpu", 1500L, GPU, 8L, "memory", 1L);
                    q.limit = Map.of("cpu", 1000L, GPU, 8L, "pods", 0L);
                });
        assertThat(problems(queue))
                .containsExactly(
                        new Problem(
                                "spec.limit.cpu",
                                "1",
                                "must not be below what is guaranteed, which is 1500m"));
    }

    @ParameterizedTest
    @MethodSource
    void poolOutsideItsRangeIsRefused(Consumer<Settings.OfPool> change, String path) {
        assertThat(problems(Settings.pool(change))).extracting(Problem::path).containsExactly(path);
    }

    static Stream<Arguments> poolOutsideItsRangeIsRefused() {
        return Stream.of(
                pool("number", p -> p.number = 64, "spec.number"),
                pool("selector", p -> p.nodeSelector.put("a", "b c"), "spec.nodeSelector.a"),
                pool("unknown", p -> p.unknown = List.of("spec.policy"), "spec.policy"),
                pool("run", p -> p.minimumRun = Duration.ofMillis(-1), "spec.minimumRun"),
                pool("budget", p -> p.preemptionBudget = -1, "spec.preemptionBudget"),
                pool(
                        "class",
                        p -> p.priorityClasses.put("high", 1_000_000_001),
                        "spec.priorityClasses.high"),
                pool("name", p -> p.priorityClasses.put("A", 1), "spec.priorityClasses.A"),
                pool("step", p -> p.agingStep = Duration.ofMillis(-1), "spec.aging.step"),
                pool("most", p -> p.agingMost = -1, "spec.aging.most"),
                pool("delegated", p -> p.backing = backing(false, true, null), "spec.capacity"),
                pool("queue", p -> p.backing = backing(true, false, "A b"), "spec.backendQueue"),
                pool(
                        "no backend",
                        p -> p.backing = backing(false, false, "q"),
                        "spec.backendQueue"),
                pool(
                        "notice",
                        p -> p.notices.put("taints", List.of("a", "")),
                        "spec.notices.taints[1]"),
                pool(
                        "half-life",
                        p -> p.nodeHealthHalfLife = Duration.ofDays(366),
                        "spec.nodeHealth.halfLife"),
                pool("exclude", p -> p.nodeHealthExcludeAt = -1, "spec.nodeHealth.excludeAt"),
                pool("spot", p -> p.spotSelector.put("a", "b c"), "spec.spot.nodeSelector.a"),
                pool(
                        "toleration",
                        p -> p.spotTolerations.add(new Toleration("", false, "", null)),
                        "spec.spot.tolerations[0].key"));
    }

    private static PoolSettings.Backing backing(
            boolean another, boolean delegated, @Nullable String queue) {
        return new PoolSettings.Backing(another, delegated, queue);
    }

    private static Arguments queue(String name, Consumer<Settings.OfQueue> change, String path) {
        return argumentSet(name, change, path);
    }

    private static Arguments pool(String name, Consumer<Settings.OfPool> change, String path) {
        return argumentSet(name, change, path);
    }

    private static List<Problem> problems(QueueSettings settings) {
        var problems = new Problems();
        settings.check(problems);
        return problems.all();
    }

    private static List<Problem> problems(PoolSettings settings) {
        var problems = new Problems();
        settings.check(problems);
        settings.checkTogether(problems);
        return problems.all();
    }
}
