package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Three queues with quotas of all kinds, of which some lend to each other, heads that soon have
 * waited for long, and priorities that grow: no head starves since those that come after it use
 * what its queue may use.
 */
final class QuotaChance implements Piece {
    private final Random random;
    private final OtherRules rules = new OtherRules(this::aging, this::quotas);

    /** As they were after the last event. */
    private List<Row> rows = List.of();

    private Map<JobId, Job> waiting = new HashMap<>();

    /** It may pass a head. */
    private @Nullable JobId holder;

    private int weighed;

    QuotaChance(long seed) {
        random = new Random(seed ^ 0x90a1L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                        && random.nextInt(3) == 0
                ? new Event.Submitted(id, in("z", spec), request)
                : rules.of(event);
    }

    @Override
    public List<Later> echoes(Event told) {
        return OtherRules.echoes(told, "x", "y", "z");
    }

    private static JobSpec in(String queue, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        queue,
                        place.priority(),
                        place.priorityClass(),
                        place.suspended(),
                        place.after(),
                        place.labels()));
    }

    private PoolSpec aging(PoolSpec spec) {
        var step = Duration.ofSeconds(random.nextInt(3) * random.nextInt(5));
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                spec.preemption(),
                new PoolSpec.Priorities(new TreeMap<>(), step, random.nextInt(4)),
                spec.spot(),
                spec.backing(),
                spec.notices(),
                spec.nodeHealth());
    }

    private QueueSpec quotas(QueueSpec spec) {
        int most = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(4);
        var doors = new QueueSpec.Doors(spec.doors().paused(), false, 50, most, new TreeSet<>());
        var order =
                new QueueSpec.Order(
                        spec.order().kind(),
                        0,
                        random.nextInt(5) > 0,
                        Duration.ofSeconds(random.nextInt(5)));
        return QueueSpecs.with(QueueSpecs.with(QueueSpecs.with(spec, doors), order), quota());
    }

    private Quota quota() {
        var guaranteed = amounts(3);
        // Some are guaranteed one of both, or none.
        guaranteed.keySet().removeIf(_ -> random.nextInt(4) == 0);
        return new Quota(
                Amounts.of(guaranteed),
                some(4),
                random.nextInt(4) > 0,
                some(1),
                random.nextBoolean() ? new TreeMap<>() : amounts(1),
                List.of("g", "g", "h").get(random.nextInt(3)));
    }

    /** Of both resources, or of none. */
    private TreeMap<String, Long> some(int least) {
        return random.nextBoolean() ? new TreeMap<>() : amounts(least);
    }

    private TreeMap<String, Long> amounts(int least) {
        return new TreeMap<>(
                Map.of(
                        "cpu",
                        1000L * (least + random.nextInt(4)),
                        "memory",
                        Fixtures.gibi(least + random.nextInt(4))));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var now = new HashMap<JobId, Job>();
        var started = new ArrayList<Job>();
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            if (job.state().takesPart()) {
                now.put(job.id(), job);
            } else if (job.state().isUp() && waiting.containsKey(job.id())) {
                started.add(job);
            }
        }
        if (!started.isEmpty() && !changesRules(event)) {
            var before = new NaiveQueues(rows);
            var heads = before.ripe();
            var naive = new NaiveQueues(play.allRows().toList());
            var firsts = before.firstOfAll();
            // Who has come meanwhile may come before them, and who has by waiting alone.
            firsts.keySet().retainAll(naive.firstOfAll().keySet());
            firsts.keySet().retainAll(new NaiveQueues(rows, play.now()).firstOfAll().keySet());
            started.forEach(job -> started(job, heads, before, naive));
            weighed +=
                    (int) heads.values().stream().filter(job -> starves(job, job, naive)).count();
            for (var job : started) {
                var known = waiting.get(job.id());
                var passed = new TreeMap<>(firsts);
                passed.values().removeIf(first -> before.maySoonComeBefore(known, first));
                startedInNamespace(job, passed, naive);
            }
        }
        waiting = now;
        rows = play.allRows().toList();
        holder = null;
        for (var row : play.rows(Row.Table.HOLD).values()) {
            holder = ((Hold) row).job();
        }
    }

    /** Whoever was first may be so no longer, and may not even start any more. */
    private static boolean changesRules(@Nullable Event event) {
        return event instanceof Event.Command && !(event instanceof Event.Submitted)
                || event instanceof Event.NamespaceQuotaSeen;
    }

    /** Of a namespace one job is first, of whichever queue. */
    private void startedInNamespace(Job job, Map<JobId, Job> firsts, NaiveQueues naive) {
        for (var first : firsts.values()) {
            boolean isPassed =
                    first.id().namespace().equals(job.id().namespace())
                            && !first.id().equals(job.id())
                            && !job.id().equals(holder)
                            && naive.waits(first.id());
            if (isPassed && naive.areShortOfTheSame(first, job)) {
                throw new AssertionError(
                        "%s starves in its namespace: %s passes it"
                                .formatted(first.id(), job.id()));
            }
        }
    }

    private void started(Job job, Map<String, Job> heads, NaiveQueues before, NaiveQueues naive) {
        var known = waiting.get(job.id());
        var head = heads.get(job.spec().queue());
        boolean isPassed =
                known != null
                        && head != null
                        && !job.id().equals(holder)
                        && job.ticket() > head.ticket()
                        && known.spec().place().priority() <= head.spec().place().priority();
        // Who lacked nothing but his namespace's quota or room is passed, and lacks more from then.
        if (isPassed && before.lacksItsQueues(head, job) && starves(head, job, naive)) {
            throw new AssertionError("%s starves: %s passes it".formatted(head.id(), job.id()));
        }
    }

    /**
     * Where nobody who has come meanwhile comes before it; who needs nothing of what it lacks is
     * not in its way.
     */
    private static boolean starves(Job head, Job other, NaiveQueues naive) {
        return naive.waits(head.id()) && naive.lacksItsQueues(head, other) && naive.isFirst(head);
    }

    /** How often somebody started while the first of a queue was short of quota for long. */
    @Override
    public int weighed() {
        return weighed;
    }
}
