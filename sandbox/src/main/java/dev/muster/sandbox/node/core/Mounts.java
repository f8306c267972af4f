package dev.muster.sandbox.node.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The places of a container's volumes on this machine. There is no mount namespace: what a
 * container calls {@code /data} is {@code root + "/data"}, and the text that it gets says so.
 */
public final class Mounts {
    private final String root;
    private final Pattern paths;
    private final boolean none;

    /**
     * @param root the folder that stands for the container's {@code /}
     * @param mountPaths absolute, as in the container's volume mounts
     */
    public Mounts(String root, Collection<String> mountPaths) {
        this.root = root;
        this.none = mountPaths.isEmpty();
        String any =
                mountPaths.stream()
                        .map(Mounts::withoutSlash)
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|"));
        // A path begins where no name or path goes on before it, and ends at a whole name.
        // file:///data is a path as well.
        this.paths =
                Pattern.compile(
                        "(?:(?<![A-Za-z0-9_.\\-/~])|(?<=://))(?:" + any + ")(?![A-Za-z0-9_.\\-])");
    }

    /** The text with every path into a volume replaced by where that is on this machine. */
    public String resolve(String text) {
        return none
                ? text
                : paths.matcher(text)
                        .replaceAll(path -> Matcher.quoteReplacement(root + path.group()));
    }

    /** Where a mount path of the container is on this machine. */
    public String place(String mountPath) {
        return root + withoutSlash(mountPath);
    }

    private static String withoutSlash(String path) {
        return path.length() > 1 && path.endsWith("/")
                ? path.substring(0, path.length() - 1)
                : path;
    }
}
