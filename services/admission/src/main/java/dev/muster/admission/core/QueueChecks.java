package dev.muster.admission.core;

import dev.muster.admission.core.Queues.Queue;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a queue will not take a job, as far as admission can tell; the pool has the last word. */
final class QueueChecks {
    private static final String QUEUE = "spec.queue";

    private final Examined examined;
    private final Queue queue;
    private final Problems problems = new Problems();

    private QueueChecks(Examined examined, Queue queue) {
        this.examined = examined;
        this.queue = queue;
    }

    static List<Problem> problems(Examined examined, Queue queue, Queues queues, OtherJobs others) {
        var checks = new QueueChecks(examined, queue);
        checks.checkQueue();
        checks.checkAfter(others);
        if (examined.problems().isEmpty()) {
            checks.checkSize(queues);
        }
        var found = checks.problems.all();
        if (!examined.problems().isEmpty() || !found.isEmpty()) {
            PriorityClasses.problems(examined.job(), queues).forEach(checks.problems::add);
        }
        return checks.problems.all();
    }

    private void checkQueue() {
        var namespace = examined.job().namespace();
        problems.unless(
                queue.namespaces().isEmpty() || queue.namespaces().contains(namespace),
                QUEUE,
                queue.name(),
                "takes no jobs of namespace %s, only of: %s"
                        .formatted(namespace, String.join(", ", queue.namespaces())));
        problems.unless(
                !queue.draining(),
                QUEUE,
                queue.name(),
                "is draining and takes no new jobs; submit to another queue");
        problems.unless(
                !queue.full(),
                QUEUE,
                queue.name(),
                "QueueFull: %,d jobs wait in it, and %,d may; submit later or to another queue"
                        .formatted(queue.waiting(), queue.maxWaiting()));
    }

    private void checkAfter(OtherJobs others) {
        var after = examined.job().spec().after();
        for (int i = 0; i < after.size(); i++) {
            var other = others.find(examined.job().namespace(), after.get(i).on());
            problems.unless(
                    other == null || other.pool().equals(queue.pool()),
                    "spec.after[" + i + "].job",
                    after.get(i).on(),
                    "must be a job of pool %s; its newest submission is in pool %s"
                            .formatted(queue.pool(), other == null ? "" : other.pool()));
        }
    }

    /** A job that is too large for its queue alone may still be moved to a larger one. */
    private void checkSize(Queues queues) {
        var least = LeastDemand.of(examined.job().spec(), examined.needs());
        least.forEach((resource, need) -> {
            if (fits(resource, need, queue)) {
                return;
            }
            var all = queues.of(queue.pool());
            var most = largest(resource, all);
            if (most != null && all.stream().noneMatch(other -> fits(resource, need, other))) {
                problems.add(
                        "spec.roles",
                        Numbers.amount(resource, need) + " " + resource,
                        "must not need more at once than the largest limit of a queue in pool %s,"
                                        .formatted(queue.pool())
                                + " which is %s %s: the job would wait for ever"
                                        .formatted(Numbers.amount(resource, most), resource));
            }
        });
    }

    private static boolean fits(String resource, BigInteger need, Queue queue) {
        var limit = queue.limit().get(resource);
        return limit == null || need.compareTo(BigInteger.valueOf(limit)) <= 0;
    }

    /** Null: one of them has no limit. */
    private static @Nullable Long largest(String resource, List<Queue> queues) {
        long most = 0;
        for (var queue : queues) {
            var limit = queue.limit().get(resource);
            if (limit == null) {
                return null;
            }
            most = Math.max(most, limit);
        }
        return most;
    }
}
