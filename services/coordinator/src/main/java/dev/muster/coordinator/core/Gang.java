package dev.muster.coordinator.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ranks of one job, and how they stand. */
final class Gang {
    private final SortedMap<RankId, Rank> ranks = new TreeMap<>();
    private final List<Tally.OfRole> roles = new ArrayList<>();
    private final int[] placed;
    private int left;

    Gang(Makeup makeup) {
        for (var role : makeup.work().roles()) {
            boolean isLater = makeup.later().contains(role.name());
            int min = isLater ? 0 : makeup.minimum(role.name());
            roles.add(new Tally.OfRole(role.name(), role.replicas(), min, 0, 0, 0, 0, 0, 0));
        }
        placed = new int[roles.size()];
    }

    /** Returns what it replaces. */
    @Nullable Rank put(Rank rank) {
        var before = ranks.put(rank.id(), rank);
        count(before, -1);
        count(rank, 1);
        return before;
    }

    void remove(Rank rank) {
        count(ranks.remove(rank.id()), -1);
    }

    private void count(@Nullable Rank rank, int sign) {
        if (rank == null) {
            return;
        }
        left += rank.sight().gone() ? 0 : sign;
        for (int i = 0; i < roles.size(); i++) {
            if (roles.get(i).role().equals(rank.id().role())) {
                roles.set(i, roles.get(i).plus(rank.state(), rank.sight().ready(), sign));
                placed[i] += sign;
            }
        }
    }

    /** How many ranks of a role were ever placed in this attempt. */
    int count(String role) {
        for (int i = 0; i < roles.size(); i++) {
            if (roles.get(i).role().equals(role)) {
                return placed[i];
            }
        }
        return 0;
    }

    /** The first index of a role that no rank has. */
    int firstMissing(String role) {
        int index = 0;
        for (var id :
                ranks.subMap(new RankId(role, 0), new RankId(role, Integer.MAX_VALUE)).keySet()) {
            if (id.index() != index) {
                return index;
            }
            index++;
        }
        return index;
    }

    int size() {
        return ranks.size();
    }

    @Nullable Rank get(RankId id) {
        return ranks.get(id);
    }

    List<Rank> all() {
        return List.copyOf(ranks.values());
    }

    /** No pod of it is there or may still come. */
    boolean isGone() {
        return left == 0;
    }

    Tally tally() {
        return new Tally(roles);
    }

    /** Ranks whose failure is not judged yet, the first that was seen first. */
    List<Rank> failed() {
        if (roles.stream().allMatch(role -> role.failed() == 0)) {
            return List.of();
        }
        return in(RankState.FAILED).stream()
                .sorted(Comparator.comparingLong(rank -> rank.sight().at()))
                .toList();
    }

    List<Rank> in(RankState state) {
        return ranks.values().stream().filter(rank -> rank.state() == state).toList();
    }
}
