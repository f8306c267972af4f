package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Operator;
import dev.muster.admission.core.PodNeeds.Ranks;
import dev.muster.schemas.contract.LabelNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects pods by their labels, as Kubernetes does. The index is the one label that may tell pods
 * of a role apart here; of some others of Muster's it is known only that every pod has them. Of
 * other jobs' pods that is all that is known of Muster's labels but for the job and the role.
 */
final class PodSelector {
    private static final Set<String> UNFORESEEN =
            Set.of(
                    LabelNames.ATTEMPT,
                    LabelNames.INCARNATION,
                    LabelNames.INSTALLATION,
                    LabelNames.PLAN,
                    LabelNames.POOL,
                    LabelNames.UID);

    private static final Set<String> OWN = Set.of(LabelNames.JOB, LabelNames.ROLE);

    /** Those that every pod of a gang has, and that are not told of other jobs. */
    private static final Set<String> UNTOLD =
            Set.of(LabelNames.INDEX, LabelNames.PART, LabelNames.QUEUE);

    private static final Map<String, Operator> OPERATORS =
            Map.of(
                    "In", Operator.IN,
                    "NotIn", Operator.NOT_IN,
                    "Exists", Operator.EXISTS,
                    "DoesNotExist", Operator.DOES_NOT_EXIST);

    private final List<Requirement> requirements = new ArrayList<>();
    private @Nullable List<Run> runs;

    /**
     * Indices that follow each other.
     *
     * @param end the index after the last; null: all from the first on
     */
    private record Run(int first, @Nullable Integer end) {}

    private record Requirement(String key, @Nullable String operator, SequencedSet<String> values) {
        Requirement(String key, @Nullable String operator, List<String> values) {
            this(key, operator, new LinkedHashSet<>(values));
        }

        boolean holds(Map<String, String> labels) {
            var own = labels.get(key);
            boolean has = own != null || UNFORESEEN.contains(key);
            return switch (operator) {
                case "In" -> own != null && values.contains(own);
                case "NotIn" -> own == null || !values.contains(own);
                case "Exists" -> has;
                case "DoesNotExist" -> !has;
                case null, default -> false;
            };
        }

        boolean isOfIndex() {
            return key.equals(LabelNames.INDEX);
        }

        boolean isForeseen() {
            return !UNFORESEEN.contains(key) || isOfKey();
        }

        private boolean isOfKey() {
            return "Exists".equals(operator) || "DoesNotExist".equals(operator);
        }

        /** Of other jobs' pods it is known whether it holds. */
        boolean isTold() {
            return OPERATORS.containsKey(String.valueOf(operator))
                    && (!isEverybodys() || isOfKey() || key.equals(LabelNames.PART));
        }

        /** Every pod of a gang has a label of this key. */
        private boolean isEverybodys() {
            return UNFORESEEN.contains(key) || UNTOLD.contains(key);
        }

        /** It holds for each pod of a gang or for none. */
        boolean isPlain() {
            return isEverybodys() || isOfKey() && OWN.contains(key);
        }

        boolean holdsForAll() {
            return holds(Map.of(key, LabelNames.GANG));
        }

        PodNeeds.Requirement onOthers() {
            var known = Objects.requireNonNull(OPERATORS.get(String.valueOf(operator)));
            return new PodNeeds.Requirement(key, known, List.copyOf(values), false);
        }
    }

    /**
     * @param keys what the pod itself has of these labels has to be the same
     * @param otherKeys has to be another
     * @param own labels of the pod
     */
    PodSelector(
            JsonObject selector,
            List<String> keys,
            List<String> otherKeys,
            Map<String, String> own) {
        this(selector);
        add("In", keys, own);
        add("NotIn", otherKeys, own);
    }

    /** Of a label that the pod does not have nothing is asked. */
    private void add(String operator, List<String> keys, Map<String, String> own) {
        for (var key : keys) {
            var value = own.get(key);
            if (value != null || UNFORESEEN.contains(key) || key.equals(LabelNames.INDEX)) {
                // What is not known is asked for as something that nobody could foresee.
                requirements.add(
                        value == null
                                ? new Requirement(LabelNames.UID, operator, List.of())
                                : new Requirement(key, operator, List.of(value)));
            }
        }
    }

    PodSelector(JsonObject selector) {
        selector.textsByKey("matchLabels")
                .forEach((key, value) ->
                        requirements.add(new Requirement(key, "In", List.of(value))));
        for (var expression : selector.objects("matchExpressions")) {
            var key = expression.text("key");
            requirements.add(
                    new Requirement(
                            key == null ? "" : key,
                            expression.text("operator"),
                            expression.texts("values")));
        }
    }

    /** Nothing depends on what is not known before a pod is made. */
    boolean isForeseen() {
        return requirements.stream().allMatch(Requirement::isForeseen);
    }

    /** Of every pod of another job's gang it is known whether it is selected. */
    boolean isTold() {
        return requirements.stream().allMatch(Requirement::isTold);
    }

    /** What it asks of the pods of other jobs; null: it selects none of them. */
    @Nullable List<PodNeeds.Requirement> onOthers() {
        var asked = new ArrayList<PodNeeds.Requirement>();
        for (var one : requirements) {
            if (!one.isPlain()) {
                asked.add(one.onOthers());
            } else if (!one.holdsForAll()) {
                return null;
            }
        }
        return asked;
    }

    /** It selects none whose label has another value. */
    boolean isPinned(String key, String value) {
        return requirements.stream()
                .anyMatch(one ->
                        one.key().equals(key)
                                && "In".equals(one.operator())
                                && one.values().equals(Set.of(value)));
    }

    /** There are more runs of indices than anybody would write by hand. */
    boolean isTooFine() {
        return runs().size() > PodAffinity.MOST_RUNS;
    }

    /**
     * Which pods of a role it selects, by their indices.
     *
     * @param labels that all of the role bear
     */
    List<Ranks> of(String role, Map<String, String> labels) {
        boolean isOfRole =
                requirements.stream()
                        .filter(one -> !one.isOfIndex())
                        .allMatch(one -> one.holds(labels));
        return isOfRole
                ? runs().stream().map(run -> new Ranks(role, run.first(), run.end())).toList()
                : List.of();
    }

    private List<Run> runs() {
        if (runs == null) {
            runs = runsOfIndices();
        }
        return runs;
    }

    /** Indices that it selects in any role whose other labels it selects. */
    private List<Run> runsOfIndices() {
        var onIndex = requirements.stream().filter(Requirement::isOfIndex).toList();
        var starts = List.copyOf(starts());
        var found = new ArrayList<Run>();
        for (int i = 0; i < starts.size(); i++) {
            var index = Map.of(LabelNames.INDEX, Integer.toString(starts.get(i)));
            if (onIndex.stream().allMatch(one -> one.holds(index))) {
                boolean goesOn = !found.isEmpty() && starts.get(i).equals(found.getLast().end());
                int first = goesOn ? found.removeLast().first() : starts.get(i);
                var end = i + 1 == starts.size() ? null : starts.get(i + 1);
                found.add(new Run(first, end));
            }
        }
        return found;
    }

    /** Where runs of indices begin of which it selects all or none. */
    private TreeSet<Integer> starts() {
        var starts = new TreeSet<>(Set.of(0));
        for (var one : requirements) {
            for (var value : one.isOfIndex() ? one.values() : Set.<String>of()) {
                if (value.matches("0|[1-9][0-9]{0,8}")) {
                    starts.add(Integer.parseInt(value));
                    starts.add(Integer.parseInt(value) + 1);
                }
            }
        }
        return starts;
    }
}
