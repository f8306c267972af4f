package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The least that a job must hold at once to start: what no queue's limit may be below, or it waits
 * for ever. Where the form leaves open which pods start, the smallest count.
 */
final class LeastDemand {
    private LeastDemand() {}

    /**
     * By resource, cpu in milli and everything else in whole units.
     *
     * @param spec with every default in its place
     * @param needs one per role, in the order of the roles
     */
    static SortedMap<String, BigInteger> of(Spec spec, List<PodNeeds> needs) {
        var least = new TreeMap<String, BigInteger>();
        for (var resource : resources(needs)) {
            least.put(resource, of(resource, spec, needs));
        }
        return least;
    }

    private static List<String> resources(List<PodNeeds> needs) {
        return needs.stream()
                .flatMap(role -> role.demand().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static BigInteger of(String resource, Spec spec, List<PodNeeds> needs) {
        var ofRoles = new ArrayList<Share>();
        for (int i = 0; i < needs.size(); i++) {
            var min = FillIn.minimum(spec.roles().get(i), spec.elastic());
            ofRoles.add(new Share(min, needs.get(i).demand().getOrDefault(resource, 0L)));
        }
        if (spec.roles().stream().anyMatch(LeastDemand::waitsForAnEnd)) {
            // What has ended holds nothing: only one role at a time is sure to hold its minimum.
            return ofRoles.stream().map(Share::whole).max(Comparator.naturalOrder()).orElseThrow();
        }
        var gang = spec.gang();
        long pods = ofRoles.stream().mapToLong(Share::pods).sum();
        return smallest(ofRoles, gang == null || gang.min() == null ? pods : gang.min());
    }

    private static boolean waitsForAnEnd(Role role) {
        return role.dependsOn() != null
                && role.dependsOn().stream()
                        .anyMatch(on -> on.phase() == DependencyPhase.SUCCEEDED);
    }

    /** So many pods, the smallest first. */
    private static BigInteger smallest(List<Share> ofRoles, long pods) {
        var sum = BigInteger.ZERO;
        long left = pods;
        for (var share : ofRoles.stream().sorted(Comparator.comparingLong(Share::each)).toList()) {
            long taken = Math.min(left, share.pods());
            sum = sum.add(new Share(taken, share.each()).whole());
            left -= taken;
        }
        return sum;
    }

    /** Of one role: how many pods, and what each needs of the resource. */
    private record Share(long pods, long each) {
        BigInteger whole() {
            return BigInteger.valueOf(pods).multiply(BigInteger.valueOf(each));
        }
    }
}
