package dev.muster.sandbox.process;

/** How long a process may live. */
public enum Lifetime {
    /** Ends with this JVM, however that ends. */
    OF_THIS_JVM,
    /** Outlives this JVM until somebody stops it. */
    ITS_OWN
}
