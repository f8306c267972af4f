package dev.muster.admission.core;

import dev.muster.admission.core.JobChange.Hook;
import dev.muster.schemas.contract.Paths;
import java.util.Map;
import java.util.regex.Pattern;

/** What is wrong with the hook of a command of scale. */
final class HookChecks {
    static final int MOST_ARGUMENTS = 100;
    static final int MOST_VARIABLES = 100;
    static final int LONGEST_TEXT = 4_096;

    /** It stands in the job's plan, beside the gang. */
    static final int LONGEST_IN_ALL = 32_768;

    static final int MOST_RETRIES = 10;

    private static final String RESERVED = "MUSTER_";
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Hook hook;
    private final String path;
    private final Problems problems;

    HookChecks(Hook hook, String path, Problems problems) {
        this.hook = hook;
        this.path = path;
        this.problems = problems;
    }

    void check() {
        checkCommand(Paths.field(path, "command"));
        checkEnv(Paths.field(path, "env"));
        long length =
                hook.command().stream().mapToLong(String::length).sum()
                        + hook.env().entrySet().stream()
                                .mapToLong(e -> e.getKey().length() + e.getValue().length())
                                .sum();
        problems.unless(
                length <= LONGEST_IN_ALL,
                path,
                "%,d characters".formatted(length),
                "must have at most %,d characters in command and env together"
                        .formatted(LONGEST_IN_ALL));
        var numbers = new Numbers(problems);
        numbers.oneSecondToOneHour(Paths.field(path, "timeout"), hook.timeout());
        numbers.within(Paths.field(path, "retries"), hook.retries(), 0, MOST_RETRIES);
    }

    private void checkCommand(String at) {
        var command = hook.command();
        problems.unless(
                !command.isEmpty() && !command.getFirst().isEmpty(), at, "", "must name a program");
        problems.unless(
                command.size() <= MOST_ARGUMENTS,
                at,
                command.size(),
                "must have at most %d arguments".formatted(MOST_ARGUMENTS));
        for (int i = 0; i < command.size(); i++) {
            checkText(at + "[" + i + "]", command.get(i));
        }
    }

    private void checkEnv(String at) {
        problems.unless(
                hook.env().size() <= MOST_VARIABLES,
                at,
                hook.env().size(),
                "must have at most %d variables".formatted(MOST_VARIABLES));
        for (Map.Entry<String, String> variable : hook.env().entrySet()) {
            var name = variable.getKey();
            var field = Paths.field(at, name);
            problems.unless(
                    VARIABLE.matcher(name).matches(),
                    field,
                    name,
                    "must be a name of letters, digits and '_', which does not begin with a digit");
            problems.unless(
                    !name.startsWith(RESERVED),
                    field,
                    name,
                    "must not begin with %s, which Muster keeps for itself".formatted(RESERVED));
            checkText(field, variable.getValue());
        }
    }

    private void checkText(String at, String text) {
        problems.unless(
                text.length() <= LONGEST_TEXT && text.indexOf('\0') < 0,
                at,
                text,
                "must have at most %,d characters, none of them NUL".formatted(LONGEST_TEXT));
    }
}
