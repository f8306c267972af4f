package dev.muster.cli.command;

import static java.util.stream.Collectors.joining;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.text.Words;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Which of many jobs are shown: those that are all that is asked for; without a word, all. */
final class FilterOption {
    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only jobs of this queue.")
    private @Nullable String queue;

    @Option(
            names = "--phase",
            paramLabel = "PHASE",
            converter = PhaseName.class,
            description = "Only jobs in this phase; may be repeated: in any of these.")
    private List<Phase> phases = new ArrayList<>();

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "Only jobs that have this label; may be repeated: all of these.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--living", description = "Only jobs that have not ended.")
    private boolean living;

    @Option(names = "--ended", description = "Only jobs that have ended.")
    private boolean ended;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /** A phase as it is shown. */
    static final class PhaseName implements ITypeConverter<Phase> {
        @Override
        public Phase convert(String text) {
            return all().filter(phase -> Words.constant(phase).equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException(
                                    "'%s' is no phase: known are %s"
                                            .formatted(
                                                    text,
                                                    all().map(Words::constant)
                                                            .collect(joining(", ")))));
        }

        private static Stream<Phase> all() {
            return Arrays.stream(Phase.values()).filter(phase -> phase != Phase.UNKNOWN);
        }
    }

    /**
     * Refuses what asks for nothing that there may be.
     *
     * @param name of the one job that is shown; null: many are
     */
    void check(@Nullable String name) {
        if (spec != null && living && ended) {
            throw new ParameterException(
                    spec.commandLine(), "--living and --ended exclude each other");
        }
        if (spec != null && name != null && isGiven()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--queue, --phase, --label, --living and --ended go with many jobs, not with"
                            + " NAME");
        }
    }

    boolean isGiven() {
        return queue != null || !phases.isEmpty() || !labels.isEmpty() || living || ended;
    }

    boolean takes(JobStatus job) {
        boolean isEnd = JobStatuses.isEnd(job.getPhase());
        return (queue == null || queue.equals(job.getQueue()))
                && (phases.isEmpty() || phases.contains(job.getPhase()))
                && job.getLabels().entrySet().containsAll(labels.entrySet())
                && (!living || !isEnd)
                && (!ended || isEnd);
    }
}
