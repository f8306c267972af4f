package dev.muster.sandbox.kafka;

import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the one broker of a sandbox is told. */
record BrokerSettings(Map<String, String> values) {
    /** Muster's topics take 4 MiB; a batch has an envelope. */
    private static final int LARGEST_BATCH = 5 * 1024 * 1024;

    BrokerSettings {
        values = new TreeMap<>(values);
    }

    static BrokerSettings of(Path folder, int port, int controllerPort) {
        var settings = new TreeMap<String, String>();
        settings.put("node.id", "1");
        settings.put("process.roles", "broker,controller");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        settings.put("log.dirs", folder.toString());
        settings.put("auto.create.topics.enable", "false");
        aloneInItsCluster(settings);
        quickToNoticeAnEnd(settings);
        settings.put("message.max.bytes", Integer.toString(LARGEST_BATCH));
        settings.put("replica.fetch.max.bytes", Integer.toString(LARGEST_BATCH));
        return new BrokerSettings(settings);
    }

    private static void aloneInItsCluster(Map<String, String> settings) {
        settings.put("default.replication.factor", "1");
        settings.put("min.insync.replicas", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "4");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "4");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        // Index files are made at their full size; the default of 10 MiB each adds up.
        settings.put("log.index.size.max.bytes", "1048576");
    }

    /** The defaults keep a dead member's partitions, or its open transaction, for up to 10 s. */
    private static void quickToNoticeAnEnd(Map<String, String> settings) {
        settings.put("group.min.session.timeout.ms", "1000");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
    }

    /** The same, but others prevail. */
    BrokerSettings with(Map<String, String> others) {
        var settings = new TreeMap<>(values);
        settings.putAll(others);
        return new BrokerSettings(settings);
    }

    /** Writes them as the broker reads them. */
    void write(Path file) {
        var lines = values.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue());
        try {
            Files.write(file, lines.toList());
        } catch (IOException e) {
            throw new PartFailedException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
