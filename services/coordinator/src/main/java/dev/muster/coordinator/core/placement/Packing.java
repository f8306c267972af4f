package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Separation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A whole search for a node for every pod of a gang of several parts: where there is a fit it is
 * found, unless that takes more than a bounded number of looks. It does not ask which fit is best.
 *
 * <p>Nodes that are alike are one bin until one of them is opened, so that the search grows with
 * how different nodes are, not with their number.
 */
final class Packing {
    private final List<Seats> parts;
    private final Draft draft;
    private final Amounts need;

    /** By part, and by resource that is needed. */
    private final long[][] demands;

    /** Nodes nobody was put on yet, then those that somebody was. */
    private final List<Bin> alike = new ArrayList<>();

    private final List<Bin> opened = new ArrayList<>();
    private int looks;

    /** Rooms that are alike; of those that were opened each is one. */
    private static final class Bin {
        final long[] free;
        final boolean[] accepts;
        final List<Integer> rooms;
        final int[] pods;
        int from;

        Bin(long[] free, boolean[] accepts, List<Integer> rooms) {
            this.free = free;
            this.accepts = accepts;
            this.rooms = rooms;
            this.pods = new int[accepts.length];
        }

        int count() {
            return rooms.size() - from;
        }

        Bin open() {
            return new Bin(free.clone(), accepts, List.of(rooms.get(from++)));
        }
    }

    /**
     * @param parts nothing of which is placed, those that find least room first
     * @param need of all parts together
     * @param looks how often a bin may be looked at
     */
    Packing(List<Seats> parts, Amounts need, Draft draft, int looks) {
        this.parts = parts;
        this.need = need;
        this.draft = draft;
        this.looks = looks;
        demands = new long[parts.size()][need.size()];
        for (int part = 0; part < demands.length; part++) {
            for (int i = 0; i < need.size(); i++) {
                demands[part][i] = parts.get(part).part().demand().get(need.name(i));
            }
        }
    }

    /** How many looks are left; less than 0: there may be a fit that was not found. */
    int looks() {
        return looks;
    }

    /** Puts all pods into these rooms, or none. */
    boolean fill(int[] rooms) {
        for (int i = 0; i < need.size(); i++) {
            if (need.amount(i) == Long.MAX_VALUE) {
                return false; // The sum ended there: no pool has as much.
            }
        }
        sort(rooms);
        if (!place(0)) {
            return false;
        }
        for (var bin : opened) {
            for (int i = 0; i < parts.size(); i++) {
                if (bin.pods[i] > 0) {
                    parts.get(i).put(bin.rooms.getFirst(), bin.pods[i]);
                }
            }
        }
        return true;
    }

    /** More of a resource than all pods need is as good as that. */
    private void sort(int[] rooms) {
        record Look(List<Long> free, List<Boolean> accepts) {}
        var byLook = new LinkedHashMap<Look, List<Integer>>();
        for (int room : rooms) {
            var free = new ArrayList<Long>();
            for (int i = 0; i < need.size(); i++) {
                free.add(Math.clamp(draft.free(room, need.name(i)), 0L, need.amount(i)));
            }
            var accepts = parts.stream().map(part -> part.accepts(room)).toList();
            if (accepts.contains(true)) {
                byLook.computeIfAbsent(new Look(free, accepts), _ -> new ArrayList<>()).add(room);
            }
        }
        byLook.forEach((look, alikes) -> {
            var accepts = new boolean[parts.size()];
            for (int i = 0; i < accepts.length; i++) {
                accepts[i] = look.accepts().get(i);
            }
            var free = look.free().stream().mapToLong(amount -> amount).toArray();
            alike.add(new Bin(free, accepts, alikes));
        });
    }

    /** How many pods of the part go into one of the bin. */
    private int slots(int part, Bin bin) {
        looks--;
        if (!bin.accepts[part]) {
            return 0;
        }
        var seats = parts.get(part).part();
        if (isShunned(bin, seats.group())) {
            return 0;
        }
        long slots = seats.group().isAlone() ? 1 : seats.pods();
        for (int i = 0; i < need.size(); i++) {
            if (demands[part][i] > 0) {
                slots = Math.min(slots, bin.free[i] / demands[part][i]);
            }
        }
        return (int) slots;
    }

    /** Somebody is there whom the group keeps apart from. */
    private boolean isShunned(Bin bin, Separation.Group group) {
        for (int i = 0; i < bin.pods.length && !group.apart().isEmpty(); i++) {
            if (bin.pods[i] > 0 && group.apart().contains(parts.get(i).part().group().name())) {
                return true;
            }
        }
        return false;
    }

    private boolean place(int part) {
        if (part == parts.size()) {
            return true;
        }
        if (!areTogetherEnough(part)) {
            return false;
        }
        var order =
                alike.stream()
                        .filter(bin -> bin.count() > 0 && slots(part, bin) > 0)
                        .sorted(Comparator.comparingInt(bin -> slots(part, bin)))
                        .toList();
        return intoOpened(new Step(part, order, opened.size()), 0, parts.get(part).part().pods());
    }

    /**
     * @param order bins that are alike, those that take the fewest first
     * @param opened how many bins were opened for the parts before
     */
    private record Step(int part, List<Bin> order, int opened) {}

    /** So many are left, and go into what is open from this bin on, and then into others. */
    private boolean intoOpened(Step step, int at, int left) {
        if (looks < 0 || !mayFit(step.part(), left)) {
            return false;
        }
        if (left == 0) {
            return place(step.part() + 1);
        }
        if (at == step.opened()) {
            return intoNew(step, 0, left, left);
        }
        var bin = opened.get(at);
        int most = Math.min(left, slots(step.part(), bin));
        int least = isLast(step.part()) ? most : 0;
        for (int pods = most; pods >= least; pods--) {
            put(step.part(), bin, pods);
            if (intoOpened(step, at + 1, left - pods)) {
                return true;
            }
            put(step.part(), bin, -pods);
        }
        return false;
    }

    /**
     * The same of those that nobody is on yet.
     *
     * @param most the last one of this bin took so many; it makes no difference which takes more
     */
    private boolean intoNew(Step step, int at, int left, int most) {
        if (left == 0) {
            return place(step.part() + 1);
        }
        if (at == step.order().size() || looks < 0 || !mayFit(step.part(), left)) {
            return false;
        }
        var alike = step.order().get(at);
        if (alike.count() > 0) {
            int fits = Math.min(Math.min(left, most), slots(step.part(), alike));
            int least = isLast(step.part()) ? Math.max(1, fits) : 1;
            for (int pods = fits; pods >= least; pods--) {
                var bin = alike.open();
                opened.add(bin);
                put(step.part(), bin, pods);
                if (intoNew(step, at, left - pods, pods)) {
                    return true;
                }
                opened.removeLast();
                alike.from--;
            }
        }
        return intoNew(step, at + 1, left, left);
    }

    /** What the last part takes is nobody's loss. */
    private boolean isLast(int part) {
        return part == parts.size() - 1;
    }

    private void put(int part, Bin bin, int pods) {
        bin.pods[part] += pods;
        for (int i = 0; i < need.size(); i++) {
            bin.free[i] -= demands[part][i] * pods;
        }
    }

    /** All bins have what this part and those after it need in sum. */
    private boolean areTogetherEnough(int from) {
        for (int i = 0; i < need.size(); i++) {
            long wanted = 0;
            for (int part = from; part < parts.size(); part++) {
                wanted += demands[part][i] * parts.get(part).part().pods();
            }
            for (var bin : opened) {
                wanted = Math.max(0, wanted - bin.free[i]);
            }
            for (var bin : alike) {
                long free = bin.free[i];
                boolean covers =
                        wanted <= 0 || free > 0 && bin.count() >= Math.ceilDiv(wanted, free);
                wanted = covers ? 0 : wanted - free * bin.count();
            }
            if (wanted > 0) {
                return false;
            }
        }
        return true;
    }

    /** Each part that is left would find room if it were alone. */
    private boolean mayFit(int from, int left) {
        for (int part = from; part < parts.size(); part++) {
            long wanted = part == from ? left : parts.get(part).part().pods();
            for (int i = 0; i < opened.size() && wanted > 0; i++) {
                wanted -= slots(part, opened.get(i));
            }
            for (int i = 0; i < alike.size() && wanted > 0; i++) {
                wanted -= (long) slots(part, alike.get(i)) * alike.get(i).count();
            }
            if (wanted > 0) {
                return false;
            }
        }
        return true;
    }
}
