package dev.muster.schemas.trainjob;

import dev.muster.v1.Problem;
import java.util.regex.Pattern;

/** Field paths as people read them: {@code spec.roles[1].replicas}. */
final class Paths {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Paths() {}

    static String field(String parent, String name) {
        if (!PLAIN.matcher(name).matches()) {
            return parent + "['" + name + "']";
        }
        return parent.isEmpty() ? name : parent + "." + name;
    }

    static String item(String parent, int index) {
        return parent + "[" + index + "]";
    }

    /** The path of the object or list that holds this. */
    static String parent(String path) {
        var end = path.endsWith("']") ? path.lastIndexOf("['") : lastStep(path);
        return end < 0 ? "" : path.substring(0, end);
    }

    private static int lastStep(String path) {
        return Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
    }

    /** True where {@code meaning} may be wrong only because {@code form} left a field unread. */
    static boolean mayCause(Problem form, Problem meaning) {
        var read = meaning.getPath();
        var damaged = parent(form.getPath());
        if (damaged.isEmpty() || damaged.equals("spec") || damaged.equals("metadata")) {
            return within(read, form.getPath());
        }
        if (within(damaged, "spec.elastic") && read.matches(".*\\.(elastic|min)")) {
            return true;
        }
        return within(read, damaged) || (within(damaged, "spec.roles") && ofAllRoles(read));
    }

    private static boolean ofAllRoles(String path) {
        return within(path, "spec.gang")
                || within(path, "spec.elastic")
                || within(path, "spec.success");
    }

    private static boolean within(String path, String object) {
        return path.equals(object)
                || path.startsWith(object + ".")
                || path.startsWith(object + "[");
    }
}
