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

    /** What a refused job's status gives as its reason. */
    enum Code {
        QUEUE_NOT_FOUND("QueueNotFound"),
        QUEUE_DRAINING("QueueDraining"),
        QUEUE_FULL("QueueFull"),
        NAMESPACE_NOT_ALLOWED("NamespaceNotAllowed"),
        CONFLICT("Conflict"),
        AMOUNT_OUT_OF_RANGE("AmountOutOfRange"),
        PRIORITY_CLASS_NOT_FOUND("PriorityClassNotFound"),
        DEPENDENCY_NOT_FOUND("DependencyNotFound");

        private final String label;

        Code(String label) {
            this.label = label;
        }

        /** As users read it. */
        String label() {
            return label;
        }
    }

    /**
     * Why a job is not taken in.
     *
     * @param fault what is wrong with what was asked for; null: no field of it
     */
    record Refusal(JobEvent.Refused event, @Nullable Fault fault) {
        private static Refusal of(Code code, String path, String given, String message) {
            return of(code, message, new Fault(path, given, message));
        }

        private static Refusal of(Code code, String message, @Nullable Fault fault) {
            return new Refusal(new JobEvent.Refused(code.label(), message), fault);
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
            return Refusal.of(Code.CONFLICT, message, null);
        }
        var ofAmounts = AmountBounds.fault(job.spec().work());
        if (ofAmounts != null) {
            var message = "%s: %s".formatted(ofAmounts.path(), ofAmounts.message());
            return Refusal.of(Code.AMOUNT_OUT_OF_RANGE, message, ofAmounts);
        }
        var ofClass = place.priorityClass();
        if (ofClass != null
                && !tables.settings().spec().priorities().classes().containsKey(ofClass)) {
            return Refusal.of(
                    Code.PRIORITY_CLASS_NOT_FOUND,
                    "spec.priorityClass",
                    ofClass,
                    "the pool has no priority class %s".formatted(ofClass));
        }
        for (int i = 0; i < place.after().size(); i++) {
            var after = place.after().get(i).job();
            var fullName = job.id().namespace() + "/" + after;
            if (fullName.equals(job.id().fullName()) || Ends.phase(tables, fullName) == null) {
                return Refusal.of(
                        Code.DEPENDENCY_NOT_FOUND,
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
                    Code.QUEUE_NOT_FOUND,
                    "spec.queue",
                    name,
                    "queue %s is not there".formatted(name));
        }
        var doors = queue.spec().doors();
        if (doors.draining()) {
            return Refusal.of(
                    Code.QUEUE_DRAINING,
                    "spec.queue",
                    name,
                    "queue %s takes no new jobs".formatted(name));
        }
        if (!doors.admits(job.id().namespace())) {
            return Refusal.of(
                    Code.NAMESPACE_NOT_ALLOWED,
                    "spec.queue",
                    name,
                    "queue %s is not for namespace %s".formatted(name, job.id().namespace()));
        }
        if (tables.counts(name).waiting() >= doors.maxWaiting()) {
            return Refusal.of(
                    Code.QUEUE_FULL,
                    "spec.queue",
                    name,
                    "queue %s has its %d waiting jobs".formatted(name, doors.maxWaiting()));
        }
        return null;
    }
}
