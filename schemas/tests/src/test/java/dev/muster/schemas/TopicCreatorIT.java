package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.TopicFinding.Changed;
import dev.muster.schemas.TopicFinding.Created;
import dev.muster.schemas.TopicFinding.Shorter;
import dev.muster.schemas.TopicFinding.Wrong;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicCreatorIT {
    private static final String TEN_DAYS = "864000000";

    private final Admin admin =
            Admin.create(Map.of("bootstrap.servers", TestParts.bootstrapServers()));
    private final TopicCreator creator = new TopicCreator(admin, 1);

    @BeforeEach
    void deleteAll() throws Exception {
        var there = admin.listTopics().names().get();
        admin.deleteTopics(there).all().get();
        untilBrokerShows(() -> admin.listTopics().names().get().isEmpty());
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void emptyBrokerGetsTheCatalogueAndNothingTheSecondTime() throws Exception {
        assertThat(creator.run())
                .containsExactlyElementsOf(
                        Topics.all().stream()
                                .map(topic -> new Created(topic.name(), topic.partitions(), 1))
                                .toList());
        assertThat(creator.run()).isEmpty();
        untilBrokerShows(
                () -> setting(Topics.INBOX, "message.timestamp.type").equals("LogAppendTime"));
        untilBrokerShows(() -> setting(Topics.JOB_PLANS, "cleanup.policy").equals("compact"));
    }

    @Test
    void driftedTopicIsSetRightAndAWrongOneIsLeftAndNamed() throws Exception {
        creator.run();
        set(Topics.INBOX, "message.timestamp.type", "CreateTime");
        set(Topics.INBOX, "compression.type", "zstd");
        set(Topics.SNAPSHOTS, "retention.ms", TEN_DAYS);
        admin.deleteTopics(List.of(Topics.POOLS.name())).all().get();
        untilBrokerShows(() -> !admin.listTopics().names().get().contains(Topics.POOLS.name()));
        growQueues();

        assertThat(creator.run())
                .containsExactly(
                        new Changed(
                                Topics.INBOX.name(),
                                "message.timestamp.type",
                                "CreateTime",
                                "LogAppendTime"),
                        new Shorter(
                                Topics.SNAPSHOTS.name(), "retention.ms", TEN_DAYS, "2678400000"),
                        new Wrong(Topics.QUEUES.name(), "partition count", "3", "1"),
                        new Created(Topics.POOLS.name(), 1, 1));
        untilBrokerShows(
                () -> setting(Topics.INBOX, "message.timestamp.type").equals("LogAppendTime"));
        assertThat(setting(Topics.INBOX, "compression.type")).isEqualTo("zstd");
        assertThat(setting(Topics.SNAPSHOTS, "retention.ms")).isEqualTo(TEN_DAYS);
    }

    @Test
    void commandSaysByItsExitCodeHowItWent() throws Exception {
        var broker = TestParts.bootstrapServers();

        assertThat(TopicCreatorMain.run("--bootstrap-server", broker)).isZero();
        assertThat(TopicCreatorMain.run("--bootstrap-server", broker, "--replicas", "0"))
                .isEqualTo(2);
        assertThat(TopicCreatorMain.run("--bootstrap-server")).isEqualTo(2);
        assertThat(TopicCreatorMain.run("--delete", "all")).isEqualTo(2);

        growQueues();
        assertThat(TopicCreatorMain.run("--bootstrap-server", broker)).isEqualTo(1);
    }

    private void set(Topic<?> topic, String setting, String value) throws Exception {
        var operation =
                new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(resource(topic), List.of(operation))).all().get();
        untilBrokerShows(() -> setting(topic, setting).equals(value));
    }

    private void growQueues() throws Exception {
        var queues = Topics.QUEUES.name();
        admin.createPartitions(Map.of(queues, NewPartitions.increaseTo(3))).all().get();
        untilBrokerShows(() ->
                admin.describeTopics(List.of(queues))
                                .allTopicNames()
                                .get()
                                .get(queues)
                                .partitions()
                                .size()
                        == 3);
    }

    /** What the controller has decided reaches the broker's answers a moment later. */
    private static void untilBrokerShows(Callable<Boolean> fact) {
        await().ignoreExceptions().until(fact);
    }

    private String setting(Topic<?> topic, String setting) throws Exception {
        return admin.describeConfigs(List.of(resource(topic)))
                .all()
                .get()
                .get(resource(topic))
                .get(setting)
                .value();
    }

    private static ConfigResource resource(Topic<?> topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    }
}
