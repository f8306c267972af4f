package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;

/** The Job of the manifests makes the topics of the catalogue. */
class TopicsIT {
    @Test
    void jobMakesTheTopicsOfTheCatalogueAndNoOther() throws Exception {
        var answer = Manifests.run(commandOfTheJob());
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        Map<String, Object> broker =
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestParts.bootstrapServers());
        try (var admin = Admin.create(broker)) {
            var names = admin.listTopics().names().get();
            assertThat(admin.describeTopics(names).allTopicNames().get().values())
                    .extracting(topic -> topic.name() + " " + topic.partitions().size())
                    .containsExactlyInAnyOrderElementsOf(
                            Topics.all().stream().map(TopicsIT::nameAndPartitions).toList());
        }
    }

    private static String nameAndPartitions(Topic<?> topic) {
        return topic.name() + " " + topic.partitions();
    }

    /** As the container would run it: our class path, the test's broker, and it has one replica. */
    private static List<String> commandOfTheJob() throws Exception {
        var container =
                Manifests.named(Job.class, "topics")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst();
        var command = new ArrayList<>(container.getCommand());
        command.addAll(container.getArgs());
        command.set(0, System.getProperty("java.home") + "/bin/java");
        command.set(
                command.indexOf("@/app/jib-classpath-file"), System.getProperty("java.class.path"));
        command.set(command.indexOf("--replicas") + 1, "1");
        return command.stream()
                .map(word ->
                        word.replace(
                                "$(SPRING_KAFKA_BOOTSTRAP_SERVERS)", TestParts.bootstrapServers()))
                .collect(Collectors.toList());
    }
}
