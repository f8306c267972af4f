package dev.muster.coordinator.history.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a replay finds: the first of all are kept, in order of inbox records, others counted. */
final class Findings {
    /** So many are kept. */
    private static final int KEPT = 20;

    private final List<Finding> first = new ArrayList<>();
    private final List<Finding> ofRecord = new ArrayList<>();

    /** The first of those that are missing; they come in order, so later ones are never kept. */
    private final List<Finding> firstMissing = new ArrayList<>();

    /** All of those, as what they are shows only when more of what was published is read. */
    private final Deque<Missing> missing = new ArrayDeque<>();

    private long differences;

    /** So many outputs of an inbox record were not published so far. */
    private record Missing(long offset, int outputs) {}

    /** What is found from now on is of the next inbox record. */
    void nextRecord() {
        ofRecord.clear();
    }

    /** All that was found since then. */
    List<Finding> ofRecord() {
        return List.copyOf(ofRecord);
    }

    void add(Finding finding) {
        ofRecord.add(finding);
        differences += finding.isDifference() ? 1 : 0;
        keep(finding);
    }

    /**
     * An output is not there: at the end of the log the coordinator may only be behind.
     *
     * @param newest the last inbox record about which anything was found to be published so far
     */
    void add(Finding.NotPublished output, long newest) {
        if (output.offset() <= newest) {
            add(output);
            return;
        }
        if (firstMissing.size() < KEPT) {
            firstMissing.add(output);
        }
        var last = missing.peekLast();
        if (last != null && last.offset() == output.offset()) {
            missing.removeLast();
            missing.add(new Missing(output.offset(), last.outputs() + 1));
        } else {
            missing.add(new Missing(output.offset(), 1));
        }
    }

    /** What is missing from records up to the newest will not come any more. */
    void settle(long newest) {
        for (var next = missing.peek();
                next != null && next.offset() <= newest;
                next = missing.peek()) {
            differences += missing.remove().outputs();
        }
        for (var finding : List.copyOf(firstMissing)) {
            if (finding.offset() <= newest) {
                firstMissing.remove(finding);
                keep(finding);
            }
        }
    }

    private void keep(Finding finding) {
        int at = first.size();
        while (at > 0 && first.get(at - 1).offset() > finding.offset()) {
            at--;
        }
        first.add(at, finding);
        if (first.size() > KEPT) {
            first.removeLast();
        }
    }

    /** The first of all, in order. */
    List<Finding> first() {
        return List.copyOf(first);
    }

    long differences() {
        return differences;
    }

    /** How many outputs are missing of which it is not settled that they will not come. */
    long unsettled() {
        return missing.stream().mapToLong(Missing::outputs).sum();
    }
}
