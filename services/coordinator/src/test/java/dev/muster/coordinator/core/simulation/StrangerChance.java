package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Jobs whose pods may not be on a node with some of others, and are not, whenever they came. */
final class StrangerChance implements Piece {
    private static final List<String> APPS = List.of("a", "b", "c");

    private final Random random;
    private int weighed;

    StrangerChance(long seed) {
        random = new Random(seed ^ 0x57a4L);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, beside(spec), request)
                : event;
    }

    private JobSpec beside(JobSpec spec) {
        var labels = new TreeMap<String, SortedMap<String, String>>();
        var shuns = new TreeMap<String, List<AntiAffinityTerm>>();
        for (var role : spec.roles()) {
            if (random.nextInt(3) > 0) {
                labels.put(role.name(), new TreeMap<>(Map.of("app", any(APPS))));
            }
            if (random.nextInt(4) == 0) {
                shuns.put(role.name(), List.of(term()));
            }
        }
        return Respec.neighbours(spec, new Neighbours(labels, shuns));
    }

    private AntiAffinityTerm term() {
        var requirements = new ArrayList<Requirement>();
        switch (random.nextInt(8)) {
            case 0 ->
                    requirements.add(
                            new Requirement(
                                    AntiAffinityTerm.JOB,
                                    Operator.IN,
                                    List.of("j" + random.nextInt(6), "j" + random.nextInt(6))));
            case 1 -> requirements.add(app(Operator.NOT_IN, any(APPS), any(APPS)));
            case 2 -> requirements.add(app(Operator.DOES_NOT_EXIST));
            case 3 -> {
                requirements.add(app(Operator.EXISTS));
                var role = new Requirement(AntiAffinityTerm.ROLE, Operator.IN, List.of("worker"));
                requirements.add(role);
            }
            default -> requirements.add(app(Operator.IN, any(APPS)));
        }
        var namespaces = random.nextInt(8) == 0 ? Set.<String>of() : Set.of("ml", "other");
        return new AntiAffinityTerm(new TreeSet<>(namespaces), requirements);
    }

    private static Requirement app(Operator operator, String... values) {
        return new Requirement("app", operator, List.of(values));
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var byNode = new TreeMap<String, List<Rank>>();
        for (var ranks : play.ranks().values()) {
            for (var rank : ranks) {
                if (!rank.sight().over()) {
                    byNode.computeIfAbsent(rank.making().node(), _ -> new ArrayList<>()).add(rank);
                }
            }
        }
        for (var there : byNode.values()) {
            for (var one : there) {
                for (var other : there) {
                    mayBeBeside(play, one, other);
                }
            }
        }
        weighed += byNode.size() / 2;
    }

    private static void mayBeBeside(Play play, Rank one, Rank other) {
        var terms = play.job(one.job()).spec().place().neighbours().shuns();
        for (var term : terms.getOrDefault(one.id().role(), List.of())) {
            var id = other.job();
            var labels = AntiAffinityTerm.labels(id, play.job(id).spec(), other.id().role());
            if (!id.equals(one.job()) && term.selects(id.namespace(), labels)) {
                throw new AssertionError(
                        "%s and %s are on one node, though %s".formatted(one, other, term));
            }
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
