package dev.muster.admission.core;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.schemas.contract.Paths;
import java.util.Map;
import java.util.regex.Pattern;

/** What names and labels Kubernetes and Muster take. */
public final class Names {
    static final int LONGEST = 63;
    static final String DNS_LABEL =
            "must be a DNS label: 1 to 63 of a-z, 0-9 and '-', neither first nor last a '-'";

    static final String KEY =
            "must be a key of Kubernetes: [prefix/]name, the name 1 to 63 of letters, digits, '-',"
                    + " '_' and '.'";

    static final String RESOURCE =
            "must be a resource as Kubernetes names it, such as cpu, memory or nvidia.com/gpu";

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern ROLE = Pattern.compile("[a-z0-9]{1,63}");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern WORD =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private Names() {}

    public static boolean isDnsLabel(String name) {
        return LABEL.matcher(name).matches();
    }

    /** What not every Kubernetes takes as the name of a service. */
    static boolean beginsWithDigit(String name) {
        return !name.isEmpty() && name.charAt(0) >= '0' && name.charAt(0) <= '9';
    }

    static boolean isSubdomain(String name) {
        return name.length() <= 253 && SUBDOMAIN.matcher(name).matches();
    }

    static boolean isRole(String name) {
        return ROLE.matcher(name).matches();
    }

    static boolean isResource(String name) {
        return isKey(name);
    }

    /** Reports keys and values that no object could carry. */
    static void checkLabels(String path, Map<String, String> labels, Problems problems) {
        checkKeys(path, labels, problems);
        labels.forEach((key, value) -> checkValue(Paths.field(path, key), value, problems));
    }

    static void checkKeys(String path, Map<String, String> entries, Problems problems) {
        for (var key : entries.keySet()) {
            problems.unless(isKey(key), Paths.field(path, key), key, KEY);
            problems.unless(
                    !key.startsWith(LabelNames.PREFIX),
                    Paths.field(path, key),
                    key,
                    "must not begin with " + LabelNames.PREFIX + ", which Muster keeps for itself");
        }
    }

    private static void checkValue(String path, String value, Problems problems) {
        problems.unless(
                value.isEmpty() || WORD.matcher(value).matches(),
                path,
                value,
                "must be empty or 1 to 63 of letters, digits, '-', '_' and '.'");
    }

    static boolean isKey(String key) {
        var slash = key.indexOf('/');
        return slash < 0
                ? WORD.matcher(key).matches()
                : isSubdomain(key.substring(0, slash))
                        && WORD.matcher(key.substring(slash + 1)).matches();
    }
}
