package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;

import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Jobs whose pods keep apart from those of others. */
final class Repulsions {
    static final List<JobId> JOBS = List.of(job("x", 901), job("y", 902), job("z", 903));

    private static final List<AntiAffinityTerm> TERMS =
            List.of(in("app", "a"), in("app", "b"), in("app", "c"));

    private Repulsions() {}

    /** A pod of a job that uses so much of a node. */
    record Held(String node, Amounts demand, JobId job, Repulsion repulsion) {
        /** Such pods of other jobs, unless its job is gone from there. */
        boolean repels(Repulsion other, String from, Set<JobId> gone) {
            return from.equals(node)
                    && !gone.contains(job)
                    && (!Collections.disjoint(repulsion.shuns(), other.shunnedBy())
                            || !Collections.disjoint(other.shuns(), repulsion.shunnedBy()));
        }
    }

    /** Some of another job are there that keep such pods off. */
    static boolean areKeptOff(List<Held> held, Shape.Part part, String node, Extra extra) {
        var gone = extra.gone().getOrDefault(node, new TreeSet<>());
        return held.stream().anyMatch(one -> one.repels(part.repulsion(), node, gone));
    }

    /** Of pods that some of a few terms select, and that have some of them. */
    static Repulsion any(Random random) {
        return new Repulsion(some(random), some(random));
    }

    private static Set<AntiAffinityTerm> some(Random random) {
        var some = new LinkedHashSet<AntiAffinityTerm>();
        if (random.nextInt(3) == 0) {
            some.add(TERMS.get(random.nextInt(TERMS.size())));
        }
        return some;
    }

    /** Of the own namespace. */
    static AntiAffinityTerm in(String key, String... values) {
        return in(Set.of("ml"), key, values);
    }

    static AntiAffinityTerm in(Set<String> namespaces, String key, String... values) {
        var requirement = new Requirement(key, Operator.IN, List.of(values));
        return new AntiAffinityTerm(new TreeSet<>(namespaces), List.of(requirement));
    }

    /** Of the own namespace. */
    static AntiAffinityTerm term(Requirement... requirements) {
        return new AntiAffinityTerm(new TreeSet<>(Set.of("ml")), List.of(requirements));
    }

    /** The same job, all of whose roles have these terms. */
    static JobSpec shunning(JobSpec spec, AntiAffinityTerm... terms) {
        var shuns = new TreeMap<String, List<AntiAffinityTerm>>();
        spec.roles().forEach(role -> shuns.put(role.name(), List.of(terms)));
        var known = spec.place().neighbours().labels();
        return Respec.neighbours(spec, new Neighbours(known, shuns));
    }

    /** The same job, with a label in the template of one role. */
    static JobSpec labelled(JobSpec spec, String role, String key, String value) {
        var shuns = spec.place().neighbours().shuns();
        SortedMap<String, String> label = new TreeMap<>(Map.of(key, value));
        var labels = new TreeMap<>(Map.of(role, label));
        return Respec.neighbours(spec, new Neighbours(labels, shuns));
    }
}
