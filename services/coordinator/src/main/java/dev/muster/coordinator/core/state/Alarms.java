package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All deadlines of a pool, in the order in which they fire; of one key there is one. */
public final class Alarms {
    private final TreeSet<Alarm> inOrder = new TreeSet<>(Alarms::compare);

    /** A subject has few at a time. */
    private final Map<String, List<Alarm>> bySubject = new LinkedHashMap<>();

    private final NavigableSet<Alarm> inNeedOfRoom = new TreeSet<>(Alarms::compare);
    private final NavigableSet<String> going = new TreeSet<>();

    /** By node, who waits for it while it is silent. */
    private final Map<String, NavigableSet<String>> byNode = new LinkedHashMap<>();

    private static int compare(Alarm one, Alarm other) {
        int order = one.at().compareTo(other.at());
        order = order == 0 ? one.kind().compareTo(other.kind()) : order;
        return order == 0 ? one.subject().compareTo(other.subject()) : order;
    }

    void put(Alarm alarm) {
        var before = get(alarm.kind(), alarm.subject());
        if (before != null) {
            remove(before);
        }
        bySubject.computeIfAbsent(alarm.subject(), _ -> new ArrayList<>(1)).add(alarm);
        inOrder.add(alarm);
        if (alarm.kind() == Alarm.Kind.ROOM) {
            inNeedOfRoom.add(alarm);
        } else if (alarm.kind() == Alarm.Kind.GOING) {
            going.add(alarm.subject());
        } else if (alarm.kind() == Alarm.Kind.NODE_LOST) {
            byNode.computeIfAbsent(node(alarm), _ -> new TreeSet<>()).add(alarm.subject());
        }
    }

    void remove(Alarm alarm) {
        inOrder.remove(alarm);
        if (alarm.kind() == Alarm.Kind.ROOM) {
            inNeedOfRoom.remove(alarm);
        } else if (alarm.kind() == Alarm.Kind.GOING) {
            going.remove(alarm.subject());
        } else if (alarm.kind() == Alarm.Kind.NODE_LOST) {
            byNode.computeIfPresent(
                    node(alarm),
                    (_, set) -> set.remove(alarm.subject()) && set.isEmpty() ? null : set);
        }
        bySubject.computeIfPresent(
                alarm.subject(),
                (_, set) -> {
                    set.remove(alarm);
                    return set.isEmpty() ? null : set;
                });
    }

    private static String node(Alarm nodeLost) {
        return OnNode.parse(nodeLost.subject()).node();
    }

    /** All that wait for a node that is silent, or was, in order. */
    public List<OnNode> ofNode(String name) {
        return byNode.getOrDefault(name, Collections.emptyNavigableSet()).stream()
                .map(OnNode::parse)
                .toList();
    }

    @Nullable Alarm get(Alarm.Kind kind, String subject) {
        for (var alarm : bySubject.getOrDefault(subject, List.of())) {
            if (alarm.kind() == kind) {
                return alarm;
            }
        }
        return null;
    }

    /** Jobs of which ranks that failed find no room: those first that were tried least lately. */
    public List<JobId> inNeedOfRoom(int most) {
        return inNeedOfRoom.stream().limit(most).map(Alarm::job).toList();
    }

    /**
     * Jobs that have nodes to leave: the first ones after the one of that text, and then from the
     * start.
     */
    public List<JobId> going(String after, int most) {
        return Stream.concat(
                        going.tailSet(after, false).stream(), going.headSet(after, true).stream())
                .limit(most)
                .map(JobId::parse)
                .toList();
    }

    public int going() {
        return going.size();
    }

    /** None is set, of whatever kind. */
    boolean hasNone(String subject) {
        return !bySubject.containsKey(subject);
    }

    public Optional<Instant> next() {
        return inOrder.isEmpty() ? Optional.empty() : Optional.of(inOrder.first().at());
    }

    public Optional<Alarm> due(Instant now) {
        return inOrder.isEmpty() || inOrder.first().at().isAfter(now)
                ? Optional.empty()
                : Optional.of(inOrder.first());
    }
}
