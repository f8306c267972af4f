package dev.muster.coordinator.history.replay;

import java.util.List;

/**
 * Whose rules decided a part of the log, and whose replay it.
 *
 * @param decided versions of the core, each once, in their order; empty: the log does not say
 * @param here the version of the rules in this process
 */
public record RuleVersions(List<String> decided, String here) {
    public RuleVersions {
        decided = List.copyOf(decided);
    }

    /** What the replay says is what was decided then. */
    public boolean areTheSame() {
        return decided.stream().allMatch(here::equals);
    }
}
