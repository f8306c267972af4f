package dev.muster.sandbox.node.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of services in the text that a container gets, replaced by where they answer on this
 * machine: what serves them here are processes, and no pods that a cluster would know.
 *
 * @param addresses {@code host:port} by {@code service.namespace}; each stands for the service's
 *     port 80, and other ports of it stay as they are written
 */
public record ServiceNames(Map<String, String> addresses) {
    public static final ServiceNames NONE = new ServiceNames(Map.of());

    public ServiceNames {
        addresses = new TreeMap<>(addresses);
    }

    /** The text with every name of a service replaced, in each form that cluster DNS knows. */
    public String resolve(String text) {
        var resolved = text;
        for (var each : addresses.entrySet()) {
            if (resolved.contains(each.getKey())) {
                resolved =
                        named(each.getKey())
                                .matcher(resolved)
                                .replaceAll(Matcher.quoteReplacement(each.getValue()));
            }
        }
        return resolved;
    }

    private static Pattern named(String service) {
        return Pattern.compile(
                "(?<!https://)"
                        + ClusterNames.START
                        + Pattern.quote(service)
                        + "(?:\\.svc(?:\\.cluster\\.local\\.?)?)?"
                        + ClusterNames.END
                        + "(?::80)?(?!:?[0-9])");
    }
}
