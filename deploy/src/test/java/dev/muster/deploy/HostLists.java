package dev.muster.deploy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What launchers are told of their hosts, beside what becomes of these. No host is asked to go
 * while its launcher runs and knows of no list without it; and the last list has those that are
 * there.
 */
final class HostLists {
    private HostLists() {}

    /** What the API server did, in the order of its time. */
    sealed interface Event {
        Instant at();

        String job();
    }

    /** The list of hosts is written. */
    record Listed(Instant at, String job, long version, Set<String> hosts) implements Event {
        Listed {
            hosts = Set.copyOf(hosts);
        }
    }

    /** The launcher's kubelet is told of that version. */
    record Told(Instant at, String job, long version) implements Event {}

    /** A worker is made, under the name that lists have. */
    record Made(Instant at, String job, String host, String uid) implements Event {}

    /** A worker's pod is deleted; nothing where it has ended before. */
    record Deleted(Instant at, String job, String uid) implements Event {}

    /** A worker's process has ended. */
    record Ended(Instant at, String job, String uid) implements Event {}

    /** The launcher has ended, or is asked to: all that follows is the job's end. */
    record Over(Instant at, String job) implements Event {}

    /** A sentence for each job of whose lists it does not hold. */
    static List<String> wrong(List<Event> events) {
        var jobs = new TreeMap<String, OfOne>();
        events.stream()
                .sorted(Comparator.comparing(Event::at))
                .forEach(event -> jobs.computeIfAbsent(event.job(), OfOne::new).take(event));
        return jobs.values().stream().flatMap(one -> one.wrong.stream()).toList();
    }

    /** The lists of one job. */
    private static final class OfOne {
        private final String job;
        private final List<String> wrong = new ArrayList<>();

        /** Workers that run, by uid. */
        private final Map<String, String> there = new HashMap<>();

        private final Set<String> everListed = new TreeSet<>();
        private Set<String> listed = new TreeSet<>();
        private long version;
        private long told;
        private boolean over;

        private OfOne(String job) {
            this.job = job;
        }

        private void take(Event event) {
            if (over) {
                return;
            }
            switch (event) {
                case Listed list -> {
                    listed = new TreeSet<>(list.hosts());
                    everListed.addAll(listed);
                    version = list.version();
                }
                case Told launcher -> told = launcher.version();
                case Made pod -> there.put(pod.uid(), pod.host());
                case Ended pod -> there.remove(pod.uid());
                case Deleted pod -> leaves(there.remove(pod.uid()));
                case Over _ -> end();
            }
        }

        /**
         * @param host null: it has left already
         */
        private void leaves(@Nullable String host) {
            if (host == null) {
                return;
            }
            if (listed.contains(host)) {
                wrong.add("%s: %s is deleted while the host list has it".formatted(job, host));
            } else if (everListed.contains(host) && told < version) {
                wrong.add(
                        "%s: %s is deleted before the launcher is told of list %d"
                                .formatted(job, host, version));
            }
        }

        private void end() {
            over = true;
            var hosts = new TreeSet<>(there.values());
            if (!listed.equals(hosts)) {
                wrong.add(
                        "%s: the last host list has %s, and %s are there"
                                .formatted(job, listed, hosts));
            }
        }
    }
}
