package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.coordinator.history.log.InboxLog;
import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.coordinator.history.log.LogFile;
import dev.muster.coordinator.history.log.PoolNumbers;
import dev.muster.coordinator.history.replay.PoolPast;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which pool's past a command looks at, which part of it, and where the log is. */
final class PastOption {
    @Option(
            names = "--pool",
            paramLabel = "POOL",
            description = "The pool (default: ${DEFAULT-VALUE}).")
    private String pool = "default";

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Begins there, as in " + TimeText.FORMS + " (default: the beginning).")
    private @Nullable Instant from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Ends there (default: now).")
    private @Nullable Instant to;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Takes the inbox from a file that 'replay --save' wrote.")
    private @Nullable Path file;

    String pool() {
        return pool;
    }

    @Nullable Instant from() {
        return from;
    }

    Instant to() {
        return to == null ? Instant.MAX : to;
    }

    /** The log is a file and not the topic. */
    boolean isOfFile() {
        return file != null;
    }

    /** What is done with a past; what can go wrong in it is told as of the command. */
    interface Look<T> {
        T at(PoolPast past) throws IOException;
    }

    <T> T with(Context context, Look<T> look) {
        return with(context, pool, file, look);
    }

    /** The same of another pool, from its topic. */
    static <T> T with(Context context, String pool, @Nullable Path file, Look<T> look) {
        var kafka = Kafka.settings(context);
        try {
            var number = PoolNumbers.read(kafka).get(pool);
            if (number == null) {
                throw CommandFailedException.notFound("there is no pool " + pool);
            }
            try (var past = new PoolPast(kafka, pool, log(context, number, file))) {
                return look.at(past);
            }
        } catch (PoolPast.NoBeginningException | PoolPast.StoppedException | IOException e) {
            throw CommandFailedException.failed(String.valueOf(e.getMessage()), e);
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    /** The inbox, for those who want its records alone. */
    static InboxLog log(Context context, int number, @Nullable Path file) throws IOException {
        if (file == null) {
            return new InboxTopic(Kafka.settings(context), number);
        }
        var log = LogFile.open(file);
        if (log.partition() != number) {
            throw CommandFailedException.failed(
                    "%s is the log of pool number %d, not %d"
                            .formatted(file, log.partition(), number),
                    null);
        }
        return log;
    }
}
