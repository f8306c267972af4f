package dev.muster.bench.system;

import dev.muster.sandbox.process.PartProcess;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What processes have had of the processors since they were started.
 *
 * @param times by the part's name
 */
public record Cpu(Map<String, Duration> times) {
    public static Cpu of(Collection<PartProcess> processes) {
        var times = new LinkedHashMap<String, Duration>();
        for (var process : processes) {
            ProcessHandle.of(process.pid())
                    .flatMap(handle -> handle.info().totalCpuDuration())
                    .ifPresent(time -> times.put(process.part(), time));
        }
        return new Cpu(times);
    }

    /** What came since then. */
    public Cpu since(Cpu before) {
        var times = new LinkedHashMap<String, Duration>();
        this.times.forEach((part, time) ->
                times.put(part, time.minus(before.times.getOrDefault(part, Duration.ZERO))));
        return new Cpu(times);
    }

    /** {@code kafka 3.2 s, coordinator 8.1 s}. */
    @Override
    public String toString() {
        var words = new StringBuilder();
        times.forEach((part, time) ->
                words.append(words.isEmpty() ? "" : ", ")
                        .append(part)
                        .append(' ')
                        .append(Math.round(time.toMillis() / 100.0) / 10.0)
                        .append(" s"));
        return words.toString();
    }
}
