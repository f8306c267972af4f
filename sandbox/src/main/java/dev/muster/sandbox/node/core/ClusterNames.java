package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What cluster DNS would answer, put into the text that a container gets, since a machine's own
 * resolver knows no pods.
 *
 * <p>{@code host.service.namespace.svc} and its {@code .cluster.local} form are replaced wherever
 * they stand; {@code host.service.namespace} and {@code host.service} only for the pod's own
 * service, the last only for hosts that end in a number (a file {@code train.py} is none) or are
 * the pod itself. A host need not exist yet.
 */
public final class ClusterNames {
    private static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
    // Not within a longer name, and not a file in a folder (but http://host is a host).
    static final String START = "(?<![A-Za-z0-9_.-])(?<!(?<!/)/)";
    static final String END = "(?![A-Za-z0-9_-]|\\.[A-Za-z0-9_])";
    private static final Pattern NAME =
            Pattern.compile(
                    START
                            + "(?<host>"
                            + LABEL
                            + ")\\.(?<service>"
                            + LABEL
                            + ")(?:\\.(?<namespace>"
                            + LABEL
                            + ")(?<zone>\\.svc(?:\\.cluster\\.local\\.?)?)?)?"
                            + END
                            + "(?::(?<port>[0-9]{1,5})(?![0-9]))?");
    private static final Pattern NUMBERED = Pattern.compile(".*-[0-9]+");

    private final String namespace;
    private final String self;
    private final @Nullable String service;
    private final Map<String, String> ports;

    /**
     * @param ports ports that were replaced: {@code host:port} gets the new one together with the
     *     address
     */
    public ClusterNames(Pod pod, Map<String, String> ports) {
        this.namespace = pod.getMetadata().getNamespace();
        this.self = PodAddress.host(pod);
        this.service = pod.getSpec().getSubdomain();
        this.ports = ports;
    }

    /** The text with every name of a pod replaced by that pod's address. */
    public String resolve(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        return NAME.matcher(text).replaceAll(found -> Matcher.quoteReplacement(one(found)));
    }

    private String one(MatchResult found) {
        String host = found.group("host");
        String in = found.group("namespace");
        if (!isName(host, found.group("service"), in, found.group("zone") != null)) {
            return found.group();
        }
        String address = PodAddress.of(in == null ? namespace : in, host);
        String port = found.group("port");
        return port == null ? address : address + ":" + ports.getOrDefault(port, port);
    }

    private boolean isName(String host, String of, @Nullable String in, boolean zoned) {
        if (zoned) {
            return true;
        }
        if (!of.equals(service)) {
            return false;
        }
        return in == null
                ? host.equals(self) || NUMBERED.matcher(host).matches()
                : in.equals(namespace);
    }
}
