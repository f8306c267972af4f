package dev.muster.watcher;

import dev.muster.schemas.clock.MonotonicClock;
import dev.muster.watcher.core.Pods;
import dev.muster.watcher.core.Pool;
import dev.muster.watcher.core.Pools;
import dev.muster.watcher.core.Report;
import dev.muster.watcher.core.Shard;
import dev.muster.watcher.core.ShardEvent.PoolsChanged;
import dev.muster.watcher.core.Shards;
import dev.muster.watcher.kafka.InboxWriters;
import dev.muster.watcher.kafka.PoolsTopic;
import dev.muster.watcher.kubernetes.Cluster;
import dev.muster.watcher.kubernetes.ClusterWatch;
import dev.muster.watcher.kubernetes.RehearsedPods;
import dev.muster.watcher.kubernetes.ShardLease;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Puts the parts of the watcher together and starts and ends them. */
final class Watcher implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);

    /** After so many the machine code of what reads them hardly changes. */
    private static final int REHEARSED_PAGES = 50;

    private final List<ShardLoop> loops = new ArrayList<>();
    private final List<ShardLease> leases = new ArrayList<>();
    private final PoolsTopic pools;
    private final ClusterWatch watch;
    private final InboxWriters writers;
    private final Runnable onBreakdown;
    private final Supplier<RehearsedPods> rehearsed;
    private final AtomicBoolean isRehearsed = new AtomicBoolean();
    private volatile boolean running;

    /** The settings of Kafka's clients, with those of the serializers. */
    record KafkaSettings(Map<String, Object> producer, Map<String, Object> consumer) {}

    /**
     * @param identity tells this process from every other watcher, now and before
     * @param onBreakdown called when a shard's rules failed and nothing of it can be trusted
     */
    Watcher(
            WatcherConfig config,
            String identity,
            Cluster cluster,
            KafkaSettings kafka,
            Runnable onBreakdown) {
        this.writers = new InboxWriters(kafka.producer());
        this.onBreakdown = onBreakdown;
        var reader = new Pods(config.installation());
        this.rehearsed = () -> cluster.rehearsed(reader);
        var time = new MonotonicClock();
        for (var number = 0; number < config.shards(); number++) {
            var loop = loop(config, number, time);
            loops.add(loop);
            leases.add(
                    cluster.lease(
                            new ShardLease.Name(
                                    config.leaseNamespace(), number, config.shards(), identity),
                            new ShardLease.Timing(config.leaseDuration(), config.leaseRenewal()),
                            time,
                            new ShardLease.Listener(
                                    loop::foreseen, loop::won, loop::heldOn, loop::lost),
                            new ShardLease.Self(this::isDeaf, this::tells)));
        }
        pools = new PoolsTopic(kafka.consumer(), this::poolsChanged);
        watch = cluster.watch(reader, new Shards(config.shards()), List.copyOf(loops));
    }

    /** Whether every shard knows all there is, so that it tells it or could at any moment. */
    boolean isReady() {
        return running && loops.stream().allMatch(ShardLoop::isSynced);
    }

    /** The shards that this process tells of. */
    List<Integer> shardsHeld() {
        return IntStream.range(0, loops.size()).filter(n -> loops.get(n).holds()).boxed().toList();
    }

    @Override
    public void start() {
        running = true;
        for (var number = 0; number < loops.size(); number++) {
            thread("shard-" + number, loops.get(number));
            thread("lease-" + number, leases.get(number));
        }
        thread("pools", pools);
        Thread.ofVirtual().name("rehearsal-writers").start(writers::rehearse);
        watch.start();
    }

    /** The last words come before the leases are given up: nobody speaks between the two. */
    @Override
    public void stop() {
        running = false;
        watch.close();
        pools.close();
        try {
            ShardLoop.stop(loops);
            leases.forEach(ShardLease::end);
            for (var lease : leases) {
                lease.awaitEnd();
            }
            writers.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void poolsChanged(Pools now) {
        loops.forEach(loop -> loop.accept(new PoolsChanged(now)));
        watch.use(now);
        if (now.inOrder().stream().anyMatch(Pool::hasGroups)) {
            watch.watchGroups();
        }
        if (now.inOrder().stream().anyMatch(Pool::recreates)) {
            watch.watchRestarts();
        }
    }

    private ShardLoop loop(WatcherConfig config, int number, InstantSource time) {
        return new ShardLoop(
                new Shard(number, config.moreRoomEvery(), config.aliveEvery()),
                time,
                (term, onNews) -> writers.open(number, term, time, onNews),
                this::listAnew,
                this::standsBy);
    }

    /** Once, and aside: it takes a second or two of a processor. */
    private void standsBy() {
        if (isRehearsed.compareAndSet(false, true)) {
            Thread.ofPlatform().name("rehearsal").daemon().start(this::rehearse);
        }
    }

    /** What a term begins with, for nobody: the first seconds of one are waited for. */
    private void rehearse() {
        try {
            var pods = rehearsed.get();
            for (int page = 0; page < REHEARSED_PAGES && standsByStill(); page++) {
                pods.read().forEach(pod -> writers.rehearse(new Report.PodSeen(pod)));
            }
        } catch (KafkaException e) {
            LOG.atInfo().addKeyValue("problem", e.toString()).log("not rehearsed");
        }
    }

    private boolean standsByStill() {
        return running && shardsHeld().isEmpty();
    }

    private boolean tells() {
        return !shardsHeld().isEmpty();
    }

    private boolean isDeaf() {
        return watch.isDeaf();
    }

    private void listAnew() {
        watch.listAnew();
    }

    private void thread(String name, Runnable work) {
        Thread.ofPlatform()
                .name(name)
                .daemon()
                .uncaughtExceptionHandler((_, problem) -> {
                    LOG.atError().addKeyValue("thread", name).setCause(problem).log("ended");
                    onBreakdown.run();
                })
                .start(work);
    }
}
