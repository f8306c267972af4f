package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Spec;

/**
 * What the form has and this release does not do: refused, never ignored. Whoever builds one of
 * these deletes its line.
 */
final class UnsupportedFields {
    private final Problems problems;

    private UnsupportedFields(Problems problems) {
        this.problems = problems;
    }

    static void check(Spec spec, Problems problems) {
        var notYet = new UnsupportedFields(problems);
        notYet.check(spec);
    }

    private void check(Spec spec) {
        refuse(
                spec.framework() == Framework.DLROVER,
                "spec.framework",
                Problems.asWritten(spec.framework()));
    }

    private void refuse(boolean asked, String path, Object given) {
        problems.unless(!asked, path, given, "is not supported by this release yet; leave it out");
    }
}
