package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.Progress;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Builds programs of a control plane before anybody waits for them.
 *
 * <p>{@code ./muster} runs it from its source while Maven builds the rest, so it and all that it
 * uses may know nothing but the JDK.
 */
final class BuildAhead {
    private BuildAhead() {}

    /**
     * Takes the process with whose end it ends too, however that comes, and the programs' names.
     */
    static void main(String[] arguments) {
        var caller = ProcessHandle.of(Long.parseLong(arguments[0])).orElseThrow();
        caller.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
        var programs = Stream.of(arguments).skip(1).map(BuildAhead::named).toList();
        var _ = new KubernetesBinaries(Said.ON_THE_OUTPUT).find(programs);
    }

    private static GoProgram named(String file) {
        return GoProgram.valueOf(file.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** One line for each step that took long, when it is over. */
    private enum Said implements Progress {
        ON_THE_OUTPUT;

        @Override
        public void running(String step, long seconds) {}

        @Override
        public void ended(String step, long seconds) {
            System.out.println(step + " took " + seconds + " s");
        }
    }
}
