package dev.muster.podmanager.core;

/** Who may do what with files that pods are given. */
final class FileModes {
    static final int EXECUTABLE = 0555;
    static final int READABLE = 0444;
    static final int PRIVATE = 0400;

    private FileModes() {}
}
