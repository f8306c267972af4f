package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Tally;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The ranks of one job, and how they stand. */
public final class Gang {
    private final SortedMap<RankId, Rank> ranks = new TreeMap<>();
    private final List<Tally.OfRole> roles = new ArrayList<>();
    private final int[] placed;

    /** How many of those are no spot pods. */
    private final int[] onDemand;

    /** How many are there yet that leave by choice. */
    private final int[] draining;

    private GangRequirements makeup;
    private final SortedMap<RankId, Rank> left = new TreeMap<>();
    private final SortedMap<RankId, Rank> hindered = new TreeMap<>();
    private final ReturningRanks returning = new ReturningRanks();
    private final UnjudgedFailures casualties = new UnjudgedFailures();
    private final Places places;

    /** How many that have not ended wait for what their job was asked, by the ask. */
    private final SortedMap<Long, Integer> awaiting = new TreeMap<>();

    /** How many members came by each command of scale. */
    private final SortedMap<Long, Integer> brought = new TreeMap<>();

    public Gang(GangRequirements makeup) {
        this.makeup = makeup;
        places = new Places(makeup.separation());
        for (var role : makeup.work().roles()) {
            boolean isLater = makeup.later().contains(role.name());
            int min = isLater ? 0 : makeup.minimum(role.name());
            roles.add(Tally.OfRole.none(role.name(), role.replicas(), min));
        }
        placed = new int[roles.size()];
        onDemand = new int[roles.size()];
        draining = new int[roles.size()];
        awaitEnds();
    }

    /** The same gang if these of it stayed that are to leave; it is not changed itself. */
    public Gang staying(List<Rank> stay) {
        var other = new Gang(makeup);
        ranks.values().forEach(other::put);
        stay.forEach(rank -> other.put(rank.staying()));
        return other;
    }

    /** Its job's work has changed: other sizes may be wished. */
    public void follow(GangRequirements next) {
        if (next == makeup) {
            return;
        }
        var before = makeup.work().roles();
        makeup = next;
        for (int i = 0; i < roles.size(); i++) {
            var role = next.work().roles().get(i);
            boolean isLater = next.later().contains(role.name());
            int min = isLater ? 0 : next.minimum(role.name());
            roles.set(i, roles.get(i).desiring(role.replicas(), min));
            if (GangRequirements.onDemand(role) != GangRequirements.onDemand(before.get(i))) {
                onDemand[i] = recounted(role);
            }
        }
        awaitEnds();
    }

    /** Which ones are may follow from its size, where they do not say it. */
    private int recounted(JobSpec.Role role) {
        return (int) members(role.name()).stream().filter(rank -> !rank.isSpot(role)).count();
    }

    /** An elastic role has succeeded when all have that it came to have. */
    private void awaitEnds() {
        for (int i = 0; i < roles.size(); i++) {
            var role = roles.get(i);
            boolean isElastic = makeup.work().isElastic(role.role());
            roles.set(i, role.awaiting(isElastic ? placed[i] : role.desired()));
        }
    }

    /** Returns what it replaces. */
    public @Nullable Rank put(Rank rank) {
        var before = ranks.put(rank.id(), rank);
        count(before, -1);
        count(rank, 1);
        return before;
    }

    /**
     * Nodes on which it holds room, and where all of that comes free.
     *
     * @param goes whether a rank's room does
     */
    public SortedSet<String> nodesLeft(Predicate<Rank> goes) {
        var left = new TreeSet<String>();
        var kept = new TreeSet<String>();
        for (var rank : ranks.values()) {
            if (!rank.sight().released()) {
                (goes.test(rank) ? left : kept).add(rank.making().node());
            }
        }
        left.removeAll(kept);
        return left;
    }

    public void remove(Rank rank) {
        count(ranks.remove(rank.id()), -1);
    }

    private void count(@Nullable Rank rank, int sign) {
        if (rank == null) {
            return;
        }
        note(rank, sign);
        places.count(rank, sign);
        if (rank.tenure().awaitsCheckpoint() && !rank.state().hasEnded()) {
            add(awaiting, rank.tenure().awaits(), sign);
        }
        if (rank.isLeaving()) {
            int place = drains(rank) ? place(rank.id().role()) : -1;
            if (place >= 0) {
                draining[place] += sign;
            }
            return;
        }
        if (rank.tenure().isBrought()) {
            add(brought, rank.tenure().joined(), sign);
        }
        for (int i = 0; i < roles.size(); i++) {
            if (roles.get(i).role().equals(rank.id().role())) {
                roles.set(i, roles.get(i).plus(rank.state(), rank.sight().ready(), sign));
                placed[i] += sign;
                onDemand[i] += rank.isSpot(makeup.work().roles().get(i)) ? 0 : sign;
                if (makeup.work().isElastic(rank.id().role())) {
                    roles.set(i, roles.get(i).awaiting(placed[i]));
                }
            }
        }
    }

    private static void add(SortedMap<Long, Integer> counts, long key, int more) {
        int sum = counts.getOrDefault(key, 0) + more;
        counts.compute(key, (_, _) -> sum == 0 ? null : sum);
    }

    private void note(Rank rank, int sign) {
        if (sign < 0) {
            left.remove(rank.id());
            hindered.remove(rank.id());
            returning.remove(rank);
            if (UnjudgedFailures.isOne(rank)) {
                casualties.remove(rank);
            }
            return;
        }
        if (!rank.sight().gone()) {
            left.put(rank.id(), rank);
        }
        if (rank.sight().hindrance() != null && !rank.state().hasEnded() && !rank.isLeaving()) {
            hindered.put(rank.id(), rank);
        }
        if (rank.state() == RankState.RETURNING && !rank.isLeaving()) {
            returning.put(rank);
        }
        if (UnjudgedFailures.isOne(rank)) {
            casualties.add(rank);
        }
    }

    /** How many ranks of a role were placed in this attempt and are not being taken out. */
    public int count(String role) {
        int place = place(role);
        return place < 0 ? 0 : placed[place];
    }

    /** How many of a role leave by choice and have not gone yet. */
    int draining(String role) {
        int place = place(role);
        return place < 0 ? 0 : draining[place];
    }

    /** It leaves, and neither since its node goes nor on one that is lost. */
    static boolean drains(Rank rank) {
        return rank.isLeaving()
                && !rank.sight().released()
                && !rank.tenure().isTakenByNode()
                && !rank.wasLostWithItsNode();
    }

    /** Among the roles; -1: there is none. */
    private int place(String role) {
        for (int i = 0; i < roles.size(); i++) {
            if (roles.get(i).role().equals(role)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * How many of the next pods of a role are no spot pods; the others come after them. Spot pods
     * are those that it has beyond the ones that come before, and never more than it may have.
     *
     * @param goes a member in whose place they come; null: they come beside all
     */
    public int nextOnDemand(JobSpec.Role role, int pods, @Nullable Rank goes) {
        int members = 0;
        int before = 0;
        for (int i = 0; i < roles.size(); i++) {
            if (roles.get(i).role().equals(role.name())) {
                members = placed[i];
                before = onDemand[i];
            }
        }
        if (goes != null && !goes.isLeaving()) {
            members--;
            before -= goes.isSpot(role) ? 0 : 1;
        }
        int lacking = Math.max(0, GangRequirements.onDemand(role) - before);
        int mayBeSpot = Math.max(0, role.spot() - (members - before));
        return pods - Math.clamp(pods - lacking, 0, mayBeSpot);
    }

    /** How many members came by this command of scale. */
    int brought(long command) {
        return brought.getOrDefault(command, 0);
    }

    /** So many indices of a role that no rank has, the first ones. */
    public List<Integer> missing(String role, int count) {
        var missing = new ArrayList<Integer>();
        int index = 0;
        for (var id :
                ranks.subMap(new RankId(role, 0), new RankId(role, Integer.MAX_VALUE)).keySet()) {
            while (index < id.index() && missing.size() < count) {
                missing.add(index++);
            }
            index = id.index() + 1;
        }
        while (missing.size() < count) {
            missing.add(index++);
        }
        return missing;
    }

    public int size() {
        return ranks.size();
    }

    public @Nullable Rank get(RankId id) {
        return ranks.get(id);
    }

    public List<Rank> all() {
        return List.copyOf(ranks.values());
    }

    /** All that are not being taken out. */
    public List<Rank> members() {
        return ranks.values().stream().filter(rank -> !rank.isLeaving()).toList();
    }

    /** Members of one role, by their index. */
    public List<Rank> members(String role) {
        return members().stream().filter(rank -> rank.id().role().equals(role)).toList();
    }

    /** Ranks of a role that are being taken out. */
    public List<Rank> leaving(String role) {
        return ranks.values().stream()
                .filter(rank -> rank.isLeaving() && rank.id().role().equals(role))
                .toList();
    }

    /** No pod of it is there or may still come. */
    public boolean isGone() {
        return left.isEmpty();
    }

    /** Somebody is being taken out. */
    public boolean isAnyLeaving() {
        int members = 0;
        for (int each : placed) {
            members += each;
        }
        return members < ranks.size();
    }

    /** Ranks of which a pod is there or may still come. */
    public Collection<Rank> left() {
        return Collections.unmodifiableCollection(left.values());
    }

    /** The first member whose containers cannot be started as they stand; null: there is none. */
    public @Nullable Rank hindered() {
        return hindered.isEmpty() ? null : hindered.firstEntry().getValue();
    }

    /** All such members. */
    public Collection<Rank> allHindered() {
        return Collections.unmodifiableCollection(hindered.values());
    }

    public Tally tally() {
        return new Tally(roles);
    }

    /** Members whose failure is not judged yet. */
    public UnjudgedFailures casualties() {
        return casualties;
    }

    public Places places() {
        return places;
    }

    /** A rank that has not ended waits for what the job was asked to save. */
    boolean awaits(long checkpoint) {
        return awaiting.containsKey(checkpoint);
    }

    /** A rank that this command brings or takes waits for what the job was asked to save. */
    public boolean awaits(long checkpoint, long command) {
        return ranks.values().stream()
                .map(Rank::tenure)
                .filter(tenure -> tenure.awaits() == checkpoint)
                .anyMatch(tenure -> tenure.isBroughtBy(command) || tenure.isTakenBy(command));
    }

    /** Somebody has failed, or its minimum does not run: it can hardly save as a whole. */
    public boolean isImpaired() {
        return !casualties.isEmpty() || !returning.isEmpty() || !tally().runs();
    }

    /** Members that are to be made again. */
    public ReturningRanks returning() {
        return returning;
    }

    public List<Rank> in(RankState state) {
        return members().stream().filter(rank -> rank.state() == state).toList();
    }
}
