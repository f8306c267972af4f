package dev.muster.coordinator.core;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The jobs that wait and may be tried, per queue. Of each shape only the head needs to be tried, so
 * that a million jobs cost as much as the few shapes they have.
 */
final class Backlog {
    private final Map<String, Map<Shape, SortedMap<Long, JobId>>> queues = new LinkedHashMap<>();

    /** The first waiting job of a shape in its queue. */
    record Head(long ticket, JobId job, Shape shape) {}

    void add(Job job) {
        queues.computeIfAbsent(job.spec().queue(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(job.spec().shape(), _ -> new TreeMap<>())
                .put(job.ticket(), job.id());
    }

    void remove(Job job) {
        var shapes = queues.get(job.spec().queue());
        var shape = job.spec().shape();
        if (shapes != null && shapes.containsKey(shape)) {
            var line = shapes.get(shape);
            line.remove(job.ticket());
            if (line.isEmpty()) {
                shapes.remove(shape);
            }
            if (shapes.isEmpty()) {
                queues.remove(job.spec().queue());
            }
        }
    }

    /** In the order of submission. */
    List<Head> heads(String queue) {
        return queues.getOrDefault(queue, Map.of()).entrySet().stream()
                .map(line ->
                        new Head(
                                line.getValue().firstKey(),
                                line.getValue().firstEntry().getValue(),
                                line.getKey()))
                .sorted(Comparator.comparingLong(Head::ticket))
                .toList();
    }

    boolean isHeadOfItsShape(Job job) {
        var line = queues.getOrDefault(job.spec().queue(), Map.of()).get(job.spec().shape());
        return line != null && line.firstKey() == job.ticket();
    }

    /** How many wait before {@code ticket}. */
    int before(String queue, long ticket) {
        return queues.getOrDefault(queue, Map.of()).values().stream()
                .mapToInt(line -> line.headMap(ticket).size())
                .sum();
    }
}
