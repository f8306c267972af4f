package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.util.Objects;
import java.util.regex.Pattern;

/** Taints as the kubelet's {@code --register-with-taints} has them, {@code KEY=VALUE:EFFECT}. */
public final class Taints {
    private static final Pattern FORM =
            Pattern.compile("([^=:]+)=([^:]*):(NoSchedule|PreferNoSchedule|NoExecute)");

    private Taints() {}

    /**
     * Reads one; its value may be empty.
     *
     * @throws IllegalArgumentException says what the form is
     */
    public static Taint parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    text + " is no taint: KEY=VALUE:NoSchedule, :PreferNoSchedule or :NoExecute");
        }
        return new TaintBuilder()
                .withKey(parts.group(1))
                .withValue(parts.group(2))
                .withEffect(parts.group(3))
                .build();
    }

    /** What {@link #parse} reads. */
    public static String text(Taint taint) {
        var value = Objects.requireNonNullElse(taint.getValue(), "");
        return taint.getKey() + "=" + value + ":" + taint.getEffect();
    }
}
