package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;

/**
 * The loopback address of a pod: a pure function of its namespace and host name, so that peers know
 * it before the pod is there and it stays the same over all incarnations.
 *
 * <p>A number at the end of the name is added to the hash of what stands before it: the ranks of
 * one role are neighbours and never meet. Two other names may meet (one chance in sixteen million
 * per pair); both then keep the address, since moving one would send its peers to the other.
 */
public final class PodAddress {
    private static final int SECOND = 254;
    private static final int THIRD = 256;
    private static final int FOURTH = 254;
    private static final long SLOTS = (long) SECOND * THIRD * FOURTH;
    private static final int MOST_DIGITS = 9;

    private PodAddress() {}

    /** The address under which the pod is reported, and to which its cluster DNS names resolve. */
    public static String of(Pod pod) {
        return of(pod.getMetadata().getNamespace(), host(pod));
    }

    /**
     * The address of a pod that may not be there yet.
     *
     * @param host the first label of the pod's DNS name
     * @return 127.1.0.1 to 127.254.255.254; never in 127.0.0.0/16, where machines keep their own
     */
    public static String of(String namespace, String host) {
        int digits = startOfNumber(host);
        long number = digits == host.length() ? 0 : Long.parseLong(host.substring(digits));
        long slot =
                Math.floorMod(hash(namespace + "/" + host.substring(0, digits)) + number, SLOTS);
        long fourth = slot % FOURTH + 1;
        long third = slot / FOURTH % THIRD;
        long second = slot / FOURTH / THIRD + 1;
        return "127." + second + "." + third + "." + fourth;
    }

    /** The pod's own label in its DNS name: its host name where a subdomain makes that a name. */
    public static String host(Pod pod) {
        boolean named = pod.getSpec().getSubdomain() != null && pod.getSpec().getHostname() != null;
        return named
                ? pod.getSpec().getHostname()
                : Objects.requireNonNull(pod.getMetadata().getName());
    }

    private static int startOfNumber(String host) {
        int start = host.length();
        while (start > 0
                && host.length() - start < MOST_DIGITS
                && host.charAt(start - 1) >= '0'
                && host.charAt(start - 1) <= '9') {
            start--;
        }
        while (start < host.length() - 1 && host.charAt(start) == '0') {
            start++;
        }
        return start;
    }

    /** FNV-1a, and then mixed, so that names that differ in one letter are far apart. */
    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
