package dev.muster.schemas;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** The topic creator as a command, for the Job of a deployment. */
public final class TopicCreatorMain {
    private static final String USAGE =
            """
            usage: --bootstrap-server HOST:PORT[,…] [--replicas N] [--command-config FILE]
              --replicas        of each new topic; default 1, in production 3
              --command-config  properties of the client: security.protocol, sasl.…, ssl.…
            """;

    /** Exits with 0 when the topics are right now, 1 when one is wrong, 2 when it was not tried. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        var client = new Properties();
        var replicas = 1;
        var rest = new ArrayDeque<>(List.of(args));
        try {
            while (!rest.isEmpty()) {
                var option = rest.pop();
                var value = rest.pop();
                switch (option) {
                    case "--bootstrap-server" ->
                            client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, value);
                    case "--replicas" -> replicas = Integer.parseInt(value);
                    case "--command-config" -> load(Path.of(value), client);
                    default -> throw new IllegalArgumentException("unknown option " + option);
                }
            }
            if (replicas < 1 || replicas > Short.MAX_VALUE) {
                throw new IllegalArgumentException("--replicas must be 1 or more, was " + replicas);
            }
            return create(client, replicas);
        } catch (NoSuchElementException | IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage() == null ? "an option lacks its value" : e);
            System.err.print(USAGE);
            return 2;
        } catch (KafkaException e) {
            System.err.println("the topics could not be made: " + e.getMessage());
            return 2;
        }
    }

    private static void load(Path file, Properties into) throws IOException {
        try (var lines = Files.newBufferedReader(file)) {
            into.load(lines);
        }
    }

    private static int create(Properties client, int replicas) {
        try (var admin = Admin.create(client)) {
            var findings = new TopicCreator(admin, replicas).run();
            findings.forEach(System.out::println);
            var wrong = findings.stream().anyMatch(TopicFinding.Wrong.class::isInstance);
            System.out.println(
                    wrong ? "some topics are wrong" : Topics.all().size() + " topics are right");
            return wrong ? 1 : 0;
        }
    }

    private TopicCreatorMain() {}
}
