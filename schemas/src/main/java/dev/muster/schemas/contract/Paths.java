package dev.muster.schemas.contract;

import java.util.regex.Pattern;

/** Field paths as people read them: {@code spec.roles[1].replicas}. */
public final class Paths {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Paths() {}

    public static String field(String parent, String name) {
        if (!PLAIN.matcher(name).matches()) {
            return parent + "['" + name + "']";
        }
        return parent.isEmpty() ? name : parent + "." + name;
    }

    public static String item(String parent, int index) {
        return parent + "[" + index + "]";
    }

    /** The path of the object or list that holds this. */
    public static String parent(String path) {
        var end = path.endsWith("']") ? path.lastIndexOf("['") : lastStep(path);
        return end < 0 ? "" : path.substring(0, end);
    }

    private static int lastStep(String path) {
        return Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
    }
}
