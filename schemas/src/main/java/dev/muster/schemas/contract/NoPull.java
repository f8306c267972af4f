package dev.muster.schemas.contract;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * That a kubelet cannot pull an image. It has several words for it and goes from one to the other
 * as it tries again, so that who names one of them means all.
 */
public final class NoPull {
    /** The word that stands for all of them. */
    public static final String WORD = "ErrImagePull";

    /** All of them. */
    public static final SortedSet<String> WORDS =
            Collections.unmodifiableSortedSet(
                    new TreeSet<>(
                            List.of(
                                    WORD,
                                    "ImagePullBackOff",
                                    "RegistryUnavailable",
                                    "SignatureValidationFailed")));

    private NoPull() {}
}
