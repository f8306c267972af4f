package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A pool beside a pretended cluster in virtual time: pods start late, fail and vanish, the watcher
 * repeats itself and lists anew, at times what is past, plans are applied late, and the coordinator
 * is made again from its rows at any event. All chance comes from one seed.
 */
public final class Simulation {
    /** Simulations of so many seeds in a row are of each kind. */
    public static final int PERIOD = World.PERIOD;

    /** The nodes' cores. */
    private static final List<long[]> CLUSTERS =
            List.of(
                    new long[] {8, 8, 4, 4},
                    new long[] {16},
                    new long[] {8, 4},
                    new long[] {4, 4, 4, 4, 4, 4});

    final Random random;
    private final long[] cores;
    private final Chance chance;
    private final SignalChance signals;
    final StepChance steps;
    final HealthChance health;
    final World world;
    final SavingPromises saving = new SavingPromises();
    final HostPromises hosts = new HostPromises();
    private final QueuePromises queues = new QueuePromises();
    private final PreemptionPromises preemptions = new PreemptionPromises();
    private final EndPromises ends = new EndPromises();
    public final Play play;
    private final Agenda coming;
    private final Cluster cluster;
    private final Map<JobId, List<Effect>> news = new HashMap<>();

    private int names;
    private boolean isBlind;

    public Simulation(long seed) {
        this(seed, (_, _, _) -> {});
    }

    /**
     * @param heard is told of all that its pool hears
     */
    public Simulation(long seed, Play.Listener heard) {
        random = new Random(seed);
        chance = new Chance(random, seed);
        signals = new SignalChance(seed);
        steps = new StepChance(seed);
        health = new HealthChance(seed);
        world = World.of(seed);
        cores = CLUSTERS.get(random.nextInt(CLUSTERS.size()));
        play = Play.inSteps(steps.most, heard, cores);
        coming = new Agenda(play);
        cluster = new Cluster(random, seed, chance, world, coming);
        play.heardBy(hosts);
        play.heardBy((event, _, effects) -> world.hears(play, event, effects));
        play.on(new Event.QueuePut("x", QueueSpecs.queue(3, false, true, 50), null));
        play.on(
                new Event.QueuePut(
                        "y", QueueSpecs.queue(1, false, random.nextBoolean(), 50), null));
        play.backends = world.backends();
        if (!world.isPlain()) {
            give(cluster.alive());
            give(new Event.PoolPut("default", PoolSpec.PLAIN, null));
            list();
        }
        play.takeEffects();
    }

    /** What a simulation has beside what all have, by name. */
    public static Set<String> kinds(long seed) {
        return World.of(seed).kinds();
    }

    public void run(int events) {
        for (int i = 0; i < events; i++) {
            if (coming.isEmpty() || random.nextInt(4) == 0) {
                coming.later(random.nextInt(500), chance());
            }
            takeNext();
            if (world.isPlain() && steps.crowd(play, this::command)) {
                areBoundsKept();
                follow();
            }
            if (signals.speaks() && !cluster.pods().isEmpty()) {
                give(signals.drained(cluster.pods().getFirst()));
            }
            if (random.nextInt(50) == 0) {
                play.restart();
            }
        }
    }

    private Event command() {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> submit();
            case 3 -> new Event.ChangeAsked(some(), chance.change(), null);
            case 4 -> Fixtures.cancel(some(), "", null);
            default -> new Event.BulkAsked(queue(), chance.changeOrCancel(), null, "operator");
        };
    }

    private Selector queue() {
        return new Selector(random.nextBoolean() ? "x" : null, null, new TreeMap<>());
    }

    /** Nothing new comes; what is under way goes on until nothing moves any more. */
    public void calmDown() {
        do {
            while (!coming.isEmpty()) {
                takeNext();
            }
            list();
            play.passHeard(Duration.ofSeconds(30), 0);
            areBoundsKept();
            world.isKept(play, null);
            follow();
        } while (!coming.isEmpty());
    }

    /** Nothing happens any more, and what has ended is forgotten. */
    public void aMonthLater() {
        var gone = ends.gone(play);
        play.jump(Duration.ofDays(31));
        ends.areKept(play, play.takeEffects());
        ends.allAreForgotten(play, gone);
    }

    private void takeNext() {
        var due = coming.next();
        if (due.at().isAfter(play.now())) {
            play.pass(Duration.between(play.now(), due.at()));
            areBoundsKept();
            world.isKept(play, null);
            follow();
        }
        give(due.event());
    }

    private void give(Event told) {
        if (ShardChance.isLate(told)) {
            hear(told);
            return;
        }
        var event = world.of(told);
        world.echoes(told).forEach(echo -> coming.later(echo.millis(), echo.event()));
        if (!cluster.tells(event)) {
            return;
        }
        if (isBlind && event instanceof Event.WatcherAlive) {
            list();
        }
        if (isBlind && event instanceof Event.Sight) {
            return;
        }
        world.said(event).forEach(this::hear);
    }

    private void hear(Event event) {
        play.on(event);
        areBoundsKept();
        health.suspectsComeLast(play, event);
        world.isKept(play, event);
        follow();
    }

    private void areBoundsKept() {
        QuotaPromises.areKept(play);
        NodePromises.areKept(play);
    }

    /** Carries out what the pool ordered, some time later. */
    private void follow() {
        world.dying().forEach(node -> coming.later(1_000, silence(node)));
        var effects = play.takeEffects();
        preemptions.areKept(play, effects);
        ends.areKept(play, effects);
        for (var effect : effects) {
            switch (effect) {
                case Effect.Plan plan -> {
                    note(plan.job(), plan);
                    cluster.apply(plan);
                }
                case Effect.Moved moved -> note(moved.job(), moved);
                case Effect.QueueState state -> queues.hear(state);
                case Effect.RankEnded ended -> note(ended.job(), ended);
                case Effect.RankPlaced placed -> note(placed.job(), placed);
                case Effect.Scaled scaled -> note(scaled.job(), scaled);
                case Effect.CheckpointTold told -> {
                    note(told.job(), told);
                    signals.answers(told)
                            .forEach(said -> coming.later(said.millis(), said.event()));
                    chance.meanwhile(told)
                            .forEach(said -> coming.later(said.millis(), said.event()));
                }
                default -> {}
            }
        }
        queues.areKept(play);
    }

    private void note(JobId job, Effect effect) {
        news.computeIfAbsent(job, _ -> new ArrayList<>()).add(effect);
    }

    Map<JobId, List<Effect>> news() {
        return news;
    }

    private Event chance() {
        return switch (random.nextInt(22)) {
            case 21 -> some(made -> chance.trained(made.job(), made.pod().mark()));
            case 20 -> chance.going(cores);
            case 18, 19 -> new Event.ChangeAsked(some(), chance.scale(), null);
            case 0, 1, 2, 3 -> submit();
            case 4 -> Fixtures.cancel(some(), "", null);
            case 12 -> new Event.ChangeAsked(some(), chance.change(), null);
            case 13 -> new Event.BulkAsked(queue(), chance.change(), null);
            case 14 -> chance.quota();
            case 15 -> health.pool(chance.pool());
            case 16 -> lost();
            case 17 -> silence(random.nextInt(cores.length));
            case 5 -> new Event.NodeSeen(WATCHER, Fixtures.node("spare", random.nextInt(8)));
            case 6 -> new Event.NodeReleased(WATCHER, "spare");
            case 7 -> new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(random.nextInt(6)));
            case 8 -> random.nextBoolean() ? listed() : blind();
            case 9 -> chance.queue("x");
            default -> repeated();
        };
    }

    private Event submit() {
        var spec = signals.spec(chance.spec());
        if (names > 0 && random.nextInt(6) == 0) {
            spec = Fixtures.behind("j" + random.nextInt(names), random.nextBoolean(), spec);
        } else if (random.nextInt(12) == 0) {
            spec = Fixtures.suspended(spec);
        }
        if (names % 4 == 3) {
            spec = Fixtures.patient(Duration.ofSeconds(2), spec);
        }
        // Some come again under their names, which they get once they have ended.
        boolean isRetry = names > 0 && random.nextInt(8) == 0;
        int name = isRetry ? random.nextInt(names) : names;
        names++;
        return new Event.Submitted(world.job(name, names), spec, null);
    }

    /** Some pod is there no more, and nobody saw it end. */
    private Event lost() {
        return some(made -> new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
    }

    private Event some(Function<Made, Event> of) {
        var pods = cluster.pods();
        return pods.isEmpty()
                ? new Event.WatcherAlive(WATCHER)
                : of.apply(pods.get(random.nextInt(pods.size())));
    }

    private JobId some() {
        int name = random.nextInt(names + 1);
        return world.job(name, name + 1L);
    }

    /** The watcher says again what it said of some pod. */
    private Event repeated() {
        return some(made -> new Event.PodSeen(WATCHER, made.job(), made.pod()));
    }

    /** No watcher is there for a while; what happens in it, the next list has to say. */
    private Event blind() {
        isBlind = true;
        coming.later(1000 + random.nextInt(20_000), new Event.WatcherAlive(WATCHER));
        cluster.isUnwatched();
        return repeated();
    }

    private Event listed() {
        list();
        return new Event.WatcherAlive(WATCHER);
    }

    private void list() {
        isBlind = false;
        var id = "list-" + coming.order();
        cluster.speaks();
        give(new Event.SnapshotBegin(WATCHER, id));
        play.watchers = world.watchers();
        for (int i = 0; i < cores.length; i++) {
            give(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, cores[i])));
        }
        var listed = cluster.listed();
        listed.forEach(made -> give(new Event.PodSeen(WATCHER, made.job(), made.pod())));
        cluster.isBehind = false;
        var gone = Promises.gone(play);
        give(new Event.SnapshotEnd(WATCHER, id));
        Promises.nobodyListedVanished(play, listed, gone);
    }

    private Event silence(int node) {
        var name = "node-" + node;
        cluster.silence(name);
        return new Event.NodeSeen(WATCHER, Chance.unready(name, cores[node]));
    }
}
