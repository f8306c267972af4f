package dev.muster.admission.core;

import org.jspecify.annotations.Nullable;

/** What the directory knows of other names, as far as this process holds it. */
@FunctionalInterface
public interface OtherJobs {
    /** Null: nothing is known of the name, or it is known elsewhere. */
    @Nullable Entry find(String namespace, String name);
}
