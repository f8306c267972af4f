package dev.muster.admission.core;

import dev.muster.schemas.contract.Paths;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one pod of a role needs of a node, read from its template.
 *
 * @param demand as Kubernetes counts requests; cpu in milli, everything else in whole units; pods
 *     is 1
 * @param limits as Kubernetes counts limits, for the quotas of namespaces; same units
 * @param nodeAffinity the required terms, of which one suffices; empty: any node
 * @param mainContainer whose end is the rank's end
 * @param onePerNode no two pods of the role go to one node
 * @param mainMemory null: its main container names none of its own
 * @param graceSeconds that its template gives it to end in; null: it names none
 * @param apartFrom pods of its job that go to no node where one of the role is, nor the other way
 *     round; all of its own role are not told here but by {@code onePerNode}
 * @param labels of its template, by which pods of other jobs may select it
 * @param shuns pods of other jobs that go to no node where one of the role is, nor the other way
 *     round
 */
public record PodNeeds(
        String role,
        Map<String, Long> demand,
        Map<String, Long> limits,
        Map<String, String> nodeSelector,
        List<Term> nodeAffinity,
        List<Toleration> tolerations,
        Restart restart,
        String mainContainer,
        boolean onePerNode,
        @Nullable MainMemory mainMemory,
        @Nullable Long graceSeconds,
        List<Ranks> apartFrom,
        Map<String, String> labels,
        List<PodTerm> shuns) {

    public PodNeeds {
        demand = Ordered.copy(demand);
        limits = Ordered.copy(limits);
        nodeSelector = Ordered.copy(nodeSelector);
        nodeAffinity = List.copyOf(nodeAffinity);
        tolerations = List.copyOf(tolerations);
        apartFrom = List.copyOf(apartFrom);
        labels = Ordered.copy(labels);
        shuns = List.copyOf(shuns);
    }

    /**
     * @param namespaces of which pods are meant; empty: of every one
     * @param requirements on their labels; none: every pod
     */
    public record PodTerm(List<String> namespaces, List<Requirement> requirements) {
        public PodTerm {
            namespaces = List.copyOf(namespaces);
            requirements = List.copyOf(requirements);
        }
    }

    /**
     * Pods of a role whose indices follow each other.
     *
     * @param end the index after the last; null: all from the first on
     */
    public record Ranks(String role, int first, @Nullable Integer end) {}

    /**
     * The memory of the main container, which alone can grow; in bytes.
     *
     * @param asked its limit or, where it has none, its request
     * @param besides what the others ask for that run beside it
     * @param limitBesides what they may use at most; null: the main container has no limit
     * @param request its own, where its limit is more; null: as much as asked
     */
    public record MainMemory(
            long asked, long besides, @Nullable Long limitBesides, @Nullable Long request) {}

    /** What Muster lets the kubelet do with a container that ended. */
    public enum Restart {
        NEVER,
        ON_FAILURE
    }

    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT
    }

    /** On a label, or on a node's name where {@code field}. */
    public record Requirement(String key, Operator operator, List<String> values, boolean field) {
        public Requirement {
            values = List.copyOf(values);
        }
    }

    /** All of its requirements hold together. */
    public record Term(List<Requirement> requirements) {
        public Term {
            requirements = List.copyOf(requirements);
        }
    }

    public enum Effect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE
    }

    /** An empty key or no effect: any. {@code exists}: whatever the taint's value is. */
    public record Toleration(String key, boolean exists, String value, @Nullable Effect effect) {
        void check(String path, Problems problems) {
            problems.unless(
                    exists || !key.isEmpty(),
                    Paths.field(path, "key"),
                    key,
                    "must be set unless the operator is Exists");
            problems.unless(
                    !exists || value.isEmpty(),
                    Paths.field(path, "value"),
                    value,
                    "must be empty with the operator Exists");
        }
    }
}
