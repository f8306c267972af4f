package dev.muster.cli.text;

import dev.muster.coordinator.history.replay.RuleVersions;

/** That a replay is by other rules than those that decided, in words. */
final class VersionText {
    private VersionText() {}

    /** Empty: they are the same. */
    static String of(RuleVersions rules) {
        if (rules.areTheSame()) {
            return "";
        }
        return "version %s decided, and the rules here are those of %s: the replay may part from what was decided"
                .formatted(
                        String.join(", then ", rules.decided()),
                        rules.here().isEmpty() ? "an unknown version" : rules.here());
    }
}
