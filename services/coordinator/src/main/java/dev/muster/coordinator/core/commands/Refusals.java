package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.state.Ends;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/** Why the pool does not take a job in, or a queue does not. */
final class Refusals {
    private final Tables tables;

    Refusals(Tables tables) {
        this.tables = tables;
    }

    /**
     * Why a job is not taken in.
     *
     * @param fault what is wrong with what was asked for; null: no field of it
     */
    record Refusal(JobEvent.Refused event, @Nullable Fault fault) {
        private static Refusal of(String reason, String path, String given, String message) {
            return new Refusal(
                    new JobEvent.Refused(reason, message), new Fault(path, given, message));
        }

        String message() {
            return event.message();
        }
    }

    /** Why a submission is refused; null: it is not. */
    @Nullable Refusal of(Job job, @Nullable Job newest) {
        var name = job.spec().queue();
        var place = job.spec().place();
        var ofQueue = of(job, name);
        if (ofQueue != null) {
            return ofQueue;
        }
        if (newest != null && !newest.state().phase().isEnd()) {
            var message = "%s is there and lives".formatted(newest.id());
            return new Refusal(new JobEvent.Refused("Conflict", message), null);
        }
        var ofAmounts = AmountBounds.fault(job.spec().work());
        if (ofAmounts != null) {
            var message = "%s: %s".formatted(ofAmounts.path(), ofAmounts.message());
            return new Refusal(new JobEvent.Refused("AmountOutOfRange", message), ofAmounts);
        }
        var ofClass = place.priorityClass();
        if (ofClass != null
                && !tables.settings().spec().priorities().classes().containsKey(ofClass)) {
            return Refusal.of(
                    "PriorityClassNotFound",
                    "spec.priorityClass",
                    ofClass,
                    "the pool has no priority class %s".formatted(ofClass));
        }
        for (int i = 0; i < place.after().size(); i++) {
            var after = place.after().get(i).job();
            var fullName = job.id().namespace() + "/" + after;
            if (fullName.equals(job.id().fullName()) || Ends.phase(tables, fullName) == null) {
                return Refusal.of(
                        "DependencyNotFound",
                        "spec.after[%d].job".formatted(i),
                        after,
                        "it waits for %s, which the pool does not know".formatted(fullName));
            }
        }
        return null;
    }

    /** Why a queue does not take the job in; null: it does. */
    @Nullable Refusal of(Job job, String name) {
        var queue = tables.queue(name);
        if (queue == null) {
            return Refusal.of(
                    "QueueNotFound", "spec.queue", name, "queue %s is not there".formatted(name));
        }
        var doors = queue.spec().doors();
        if (doors.draining()) {
            return Refusal.of(
                    "QueueDraining",
                    "spec.queue",
                    name,
                    "queue %s takes no new jobs".formatted(name));
        }
        if (!doors.admits(job.id().namespace())) {
            return Refusal.of(
                    "NamespaceNotAllowed",
                    "spec.queue",
                    name,
                    "queue %s is not for namespace %s".formatted(name, job.id().namespace()));
        }
        if (tables.counts(name).waiting() >= doors.maxWaiting()) {
            return Refusal.of(
                    "QueueFull",
                    "spec.queue",
                    name,
                    "queue %s has its %d waiting jobs".formatted(name, doors.maxWaiting()));
        }
        return null;
    }
}
