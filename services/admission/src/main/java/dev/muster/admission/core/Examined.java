package dev.muster.admission.core;

import java.util.List;

/**
 * A submission as the rules see it; where there are problems, the rest is not to be used.
 *
 * @param job with every default in its place
 * @param needs one per role, in the order of the roles
 * @param canonical the specification as a text that two submissions share exactly if they ask for
 *     the same
 * @param warnings what was understood otherwise than it was written
 */
public record Examined(
        TrainJob job,
        List<PodNeeds> needs,
        String canonical,
        List<Problem> problems,
        List<Problem> warnings) {
    public Examined {
        needs = List.copyOf(needs);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }
}
