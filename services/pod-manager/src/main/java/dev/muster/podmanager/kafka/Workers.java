package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Hitch;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.PlanBook.Entry;
import dev.muster.podmanager.kafka.Pass.Outcome.Again;
import dev.muster.podmanager.kafka.Pass.Outcome.Finished;
import dev.muster.podmanager.kafka.Pass.Outcome.Waiting;
import dev.muster.podmanager.kafka.Work.Task;
import dev.muster.podmanager.kubernetes.Cluster.ApiServerBusyException;
import dev.muster.schemas.contract.PlanHitch;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works on many jobs at once, each on a virtual thread; the one place that retries. */
final class Workers implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Workers.class);

    /** Until what is being deleted is looked at again. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Work work;
    private final Pass pass;
    private final int number;
    private final Semaphore places;
    private volatile boolean stopping;
    private volatile @Nullable Error met;

    Workers(Work work, Pass pass, int number) {
        this.work = work;
        this.pass = pass;
        this.number = number;
        this.places = new Semaphore(number);
    }

    /**
     * Hands out work until {@link #stop}. An Error that a job meets ends it: that job would stay in
     * hand for ever.
     */
    @Override
    public void run() {
        try {
            while (!stopping) {
                places.acquire();
                var error = met;
                if (error != null) {
                    throw error;
                }
                var task = work.next();
                if (task.isEmpty()) {
                    places.release();
                } else {
                    Thread.ofVirtual()
                            .name("job " + task.get().job())
                            .start(() -> workOn(task.get()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins nothing more, and waits for what has begun. */
    void stop(Duration patience) throws InterruptedException {
        stopping = true;
        if (places.tryAcquire(number, patience.toNanos(), TimeUnit.NANOSECONDS)) {
            places.release(number);
        }
    }

    private void workOn(Task task) {
        try {
            switch (passes(task)) {
                case Again(_, var onward, var atLeast, _) ->
                        work.retry(task.job(), onward, atLeast);
                case Waiting _ -> work.lookAgain(task.job(), PAUSE);
                case Finished _ -> work.done(task.job());
            }
        } catch (Error e) {
            met = e;
        } finally {
            places.release();
        }
    }

    /**
     * All plans of the name that are still open, or whose host list somebody has deleted; a failure
     * of any counts most.
     */
    private Pass.Outcome passes(Task task) {
        Pass.Outcome all = new Finished("nothing to do");
        for (int i = 0; i < task.entries().size(); i++) {
            var entry = task.entries().get(i);
            if (entry.open() || i == 0 && isListGone(entry.plan())) {
                var outcome = one(task, entry, i > 0);
                if (outcome instanceof Again
                        || (outcome instanceof Waiting && !(all instanceof Again))) {
                    all = outcome;
                }
            }
        }
        return all;
    }

    private Pass.Outcome one(Task task, Entry entry, boolean replaced) {
        var plan = entry.plan();
        var outcome = tried(task.partition(), plan, replaced, task.seed());
        var line =
                log.atInfo()
                        .addKeyValue("jobId", plan.job())
                        .addKeyValue("attempt", plan.attempt())
                        .addKeyValue("plan", plan.version())
                        .addKeyValue("event", plan.wanted().getClass().getSimpleName());
        switch (outcome) {
            case Finished(var how) -> {
                work.finished(task.partition(), plan);
                line.addKeyValue("to", how).log("plan");
            }
            case Waiting(var why, var hitch) -> {
                line.addKeyValue("why", why).log("plan waits");
                tell(task.partition(), plan, hitch, false);
            }
            case Again(var why, var onward, _, var hitch) -> {
                line.addKeyValue("why", why).log("plan is tried again");
                tell(task.partition(), plan, hitch, onward);
            }
        }
        return outcome;
    }

    /** What is in a plan's way for long its users are to know, who do not read this log. */
    private void tell(int partition, Plan plan, @Nullable Hitch hitch, boolean onward) {
        if (hitch == null || !work.isToBeTold(plan, hitch, onward)) {
            return;
        }
        try {
            pass.tell(partition, plan, hitch);
            work.told(plan);
        } catch (IOException | RuntimeException e) {
            log.atWarn()
                    .addKeyValue("jobId", plan.job())
                    .addKeyValue("why", e.getMessage())
                    .log("its pool is told another time");
        }
    }

    private boolean isListGone(Plan plan) {
        try {
            return pass.isListGone(plan);
        } catch (IOException | RuntimeException e) {
            log.atWarn()
                    .addKeyValue("jobId", plan.job())
                    .addKeyValue("why", e.getMessage())
                    .log("its host list is looked at another time");
            return false;
        }
    }

    /** Whatever goes wrong, the plan still stands: it is tried again. */
    private Pass.Outcome tried(int partition, Plan plan, boolean replaced, @Nullable Listing seed) {
        try {
            return pass.carryOut(partition, plan, replaced, seed);
        } catch (ApiServerBusyException e) {
            var message = e.words();
            var reason = e.isDenial() ? PlanHitch.RIGHT_MISSING : PlanHitch.NOT_TAKEN;
            return new Again(message, false, e.atLeast(), new Hitch(reason, message));
        } catch (IOException | KafkaException e) {
            return new Again(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log.atError().setCause(e).addKeyValue("jobId", plan.job()).log("plan went wrong");
            return new Again(e.toString());
        }
    }
}
