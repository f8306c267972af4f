package dev.muster.coordinator.core.model;

/**
 * What quotas count of pods.
 *
 * @param requests as Kubernetes counts them, one {@code pods} per pod
 * @param above what the limits of each pod are beyond its own requests: a pod without limits gets
 *     them, where quotas are of limits, from a LimitRange, and no less than it requests
 */
public record Use(Amounts requests, Amounts above) {
    /** What a ResourceQuota calls the number of pods that are there, ended or not. */
    public static final String OBJECTS = "count/pods";

    public static final Use NONE = new Use(Amounts.NONE, Amounts.NONE);

    /** A pod that has ended, but was not deleted: only the count of objects knows it. */
    public static final Use ENDED = new Use(Amounts.NONE.with(OBJECTS, 1), Amounts.NONE);

    public static Use of(PodSpec pod) {
        return new Use(pod.demand(), pod.limits().beyond(pod.demand()));
    }

    /** Of so many that are alike. */
    public Use times(int pods) {
        return new Use(requests.times(pods), above.times(pods));
    }

    public Use plus(Use more) {
        return new Use(requests.plus(more.requests), above.plus(more.above));
    }

    public Use minus(Use less) {
        return new Use(requests.minus(less.requests), above.minus(less.above));
    }

    public boolean isNowhereNegative() {
        return requests.isNowhereNegative() && above.isNowhereNegative();
    }

    public boolean isNone() {
        return requests.size() == 0 && above.size() == 0;
    }

    /** What counts of it under a name of ResourceQuota, or of a resource itself. */
    public long counted(String name) {
        if (name.equals(OBJECTS)) {
            return Wide.sum(requests.get("pods"), requests.get(name));
        }
        if (name.startsWith("requests.")) {
            return requests.get(name.substring("requests.".length()));
        }
        if (name.startsWith("limits.")) {
            var resource = name.substring("limits.".length());
            return Wide.sum(requests.get(resource), above.get(resource));
        }
        return requests.get(name);
    }
}
