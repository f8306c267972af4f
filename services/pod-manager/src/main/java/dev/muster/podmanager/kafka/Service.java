package dev.muster.podmanager.kafka;

import dev.muster.podmanager.PodManagerConfig;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/** All that runs, begun and ended in order. */
final class Service implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Service.class);

    private final Parts parts;
    private final PodManagerConfig config;
    private final ApplicationEventPublisher events;
    private volatile boolean running;
    private List<Thread> threads = List.of();
    private final Clockwork clockwork = new Clockwork(this::ended);

    /** What is to run. */
    record Parts(
            PoolTable pools,
            PlanFeed feed,
            Seeding seeding,
            Workers workers,
            Sweeper sweeper,
            Work work,
            Tenure tenure,
            Inbox inbox,
            Discovery discovery) {}

    Service(Parts parts, PodManagerConfig config, ApplicationEventPublisher events) {
        this.parts = parts;
        this.config = config;
        this.events = events;
    }

    boolean isReady() {
        return running && parts.pools().isLoaded() && parts.feed().isReady();
    }

    List<Integer> partitions() {
        return parts.tenure().partitions();
    }

    int held() {
        return parts.work().held();
    }

    @Override
    public void start() {
        running = true;
        // The sign of life waits for no request to the API server, which may be long in coming.
        clockwork.every("alive", config.aliveEvery(), this::alive);
        clockwork.atOnceAndEvery("discovery", config.aliveEvery(), this::look);
        threads =
                List.of(
                        begun("pools", parts.pools()),
                        begun("plans", parts.feed()),
                        begun("seeding", parts.seeding()),
                        begun("workers", parts.workers()));
        clockwork.every("sweep", config.sweepEvery(), parts.sweeper()::sweep);
        clockwork.every("close-sweep", config.sweepCloselyEvery(), parts.sweeper()::sweepClosely);
    }

    /** Begins nothing more, finishes what has begun, then leaves the group. */
    @Override
    public void stop() {
        running = false;
        try {
            clockwork.stop();
            parts.workers().stop(config.drainTimeout());
            parts.seeding().stop();
            parts.feed().stop();
            parts.pools().stop();
            for (var thread : threads) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void alive() {
        if (parts.tenure().isProven() && !parts.tenure().partitions().isEmpty()) {
            parts.inbox().alive(parts.tenure().partitions());
        }
    }

    /** What is new is told at once. */
    private void look() {
        if (parts.discovery().look()) {
            alive();
        }
    }

    private Thread begun(String name, Runnable task) {
        return Thread.ofPlatform()
                .name(name)
                .daemon()
                .start(() -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        ended(name, e);
                    }
                });
    }

    /** A part that ends by itself leaves us useless: whoever watches us may start us anew. */
    private void ended(String name, Throwable cause) {
        log.atError().setCause(cause).addKeyValue("part", name).log("ended");
        AvailabilityChangeEvent.publish(events, this, LivenessState.BROKEN);
    }
}
