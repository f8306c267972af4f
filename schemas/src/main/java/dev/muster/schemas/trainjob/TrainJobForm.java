package dev.muster.schemas.trainjob;

import dev.muster.schemas.contract.Paths;
import dev.muster.v1.Problem;
import dev.muster.v1.TrainJobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a TrainJob, YAML or JSON.
 *
 * <p>It judges the form: fields, types, ranges of single fields, durations, quantities. What
 * several fields mean together is admission's to judge, whatever way a request comes in.
 */
public final class TrainJobForm {
    /** A longer text is not even parsed: characters. */
    public static final int MAX_LENGTH = 1 << 20;

    private TrainJobForm() {}

    /** What a text turned out to be. */
    public sealed interface Result {}

    /**
     * A job in good form.
     *
     * @param namespace where its pods are to be made; {@code default} if the text names none
     * @param name of the job
     * @param spec what the text says; what it leaves out has the contract's default or is null
     */
    public record Read(String namespace, String name, TrainJobSpec spec) implements Result {}

    /**
     * A text that is no job.
     *
     * @param problems all of them, in the order of the text, at least one
     * @param rest the job without the fields that have problems, so that its meaning can be judged
     *     in the same answer; null where no job is left
     */
    public record Refused(List<Problem> problems, @Nullable Read rest) implements Result {
        /** Copies the problems in. */
        public Refused {
            problems = List.copyOf(problems);
        }

        /**
         * These problems, and those of {@code meaning} that do not merely follow from them: a
         * minimum is not above the replicas because the replicas could not be read.
         */
        public List<Problem> with(List<Problem> meaning) {
            var all = new ArrayList<>(problems);
            for (var problem : meaning) {
                if (problems.stream().noneMatch(mine -> mayCause(mine, problem))) {
                    all.add(problem);
                }
            }
            return List.copyOf(all);
        }

        /**
         * True where {@code meaning} may be wrong only because {@code form} left a field unread.
         */
        private static boolean mayCause(Problem form, Problem meaning) {
            var read = meaning.getPath();
            var damaged = Paths.parent(form.getPath());
            if (damaged.isEmpty() || damaged.equals("spec") || damaged.equals("metadata")) {
                return within(read, form.getPath());
            }
            if (within(damaged, "spec.elastic") && read.matches(".*\\.(elastic|min)")) {
                return true;
            }
            return within(read, damaged) || (within(damaged, "spec.roles") && isOfAllRoles(read));
        }

        private static boolean isOfAllRoles(String path) {
            return within(path, "spec.gang")
                    || within(path, "spec.elastic")
                    || within(path, "spec.success");
        }

        private static boolean within(String path, String object) {
            return path.equals(object)
                    || path.startsWith(object + ".")
                    || path.startsWith(object + "[");
        }
    }

    /**
     * Reads one job.
     *
     * @param text YAML or JSON, one document
     * @return the job, or everything that is wrong with the text; never an exception, whatever the
     *     text
     */
    public static Result read(String text) {
        return switch (FormText.parse(text, MAX_LENGTH)) {
            case FormText.Unreadable(var problem) -> new Refused(List.of(problem), null);
            case FormText.Parsed(var document) -> new FormReading(document).result();
        };
    }
}
