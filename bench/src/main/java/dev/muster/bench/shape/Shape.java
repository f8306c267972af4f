package dev.muster.bench.shape;

import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.QueueSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is submitted when, to which queues.
 *
 * @param groups of queues that borrow from each other
 * @param percent of the jobs that each queue gets in full; their pace stays
 */
public record Shape(int groups, int queuesPerGroup, int percent) {
    /** What each queue has for certain. */
    private static final int GUARANTEED_CPUS = 20;

    /** What it may use beyond, while others of its group leave it idle. */
    private static final int BORROWED_CPUS = 100;

    private static final long MILLI = 1000;

    /** Kueue's, whole: 5 groups of 6 queues, 15,000 jobs. */
    public static Shape kueues(int percent) {
        return new Shape(5, 6, percent);
    }

    /** One job. */
    public record Arrival(Duration after, String job, String queue, Size size) {
        /** Its text's name in {@link Shape#texts}. */
        public String kind() {
            return size.word() + "-" + queue;
        }
    }

    /** The texts of all kinds of jobs, by their names. */
    public Map<String, String> texts() {
        var texts = new TreeMap<String, String>();
        for (var queue : queues()) {
            for (var size : Size.values()) {
                texts.put(size.word() + "-" + queue, size.text(queue));
            }
        }
        return texts;
    }

    /** In the order of their moments. */
    public List<Arrival> arrivals() {
        var all = new ArrayList<Arrival>();
        for (var queue : queues()) {
            for (var size : Size.values()) {
                for (int i = 0; i < Math.ceilDiv(size.perQueue() * percent, 100); i++) {
                    var name = size.word() + "-" + queue + "-" + i;
                    all.add(new Arrival(size.every().multipliedBy(i), name, queue, size));
                }
            }
        }
        all.sort(Comparator.comparing(Arrival::after));
        return all;
    }

    /** The names of all queues. */
    public List<String> queues() {
        return groupsOf().flatMap(this::queuesOf).toList();
    }

    private Stream<String> groupsOf() {
        return IntStream.range(0, groups).mapToObj(group -> "g" + group);
    }

    private Stream<String> queuesOf(String group) {
        return IntStream.range(0, queuesPerGroup).mapToObj(queue -> group + "q" + queue);
    }

    /** As they are to be set. */
    public List<QueueSetting> settings() {
        return groupsOf()
                .flatMap(
                        group -> queuesOf(group).map(queue -> new QueueSetting(queue, spec(group))))
                .toList();
    }

    private static QueueSpec spec(String group) {
        return QueueSpec.newBuilder()
                .setGroup(group)
                .setGuaranteed(Map.of("cpu", GUARANTEED_CPUS * MILLI))
                .setBorrowLimit(Map.of("cpu", BORROWED_CPUS * MILLI))
                .build();
    }

    /** What all queues have for certain, together. */
    public int cpus() {
        return groups * queuesPerGroup * GUARANTEED_CPUS;
    }

    /** How long all would take if every guaranteed cpu were used all the time, in cpu seconds. */
    public double cpuSeconds() {
        return arrivals().stream()
                .mapToDouble(job -> job.size().cpus() * job.size().run().toMillis() / 1e3)
                .sum();
    }
}
