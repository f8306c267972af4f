package dev.muster.schemas;

import static java.util.Objects.requireNonNull;

import dev.muster.schemas.TopicFinding.Changed;
import dev.muster.schemas.TopicFinding.Created;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Brings a broker's topics to the catalogue: makes what is missing, sets what may be set, says what
 * else is wrong, and deletes nothing. Doing it again changes nothing.
 */
public final class TopicCreator {
    private final Admin admin;
    private final int replicas;

    /**
     * @param replicas of each new topic, 1 or more; all but one of them must have a record before
     *     it counts as written
     */
    public TopicCreator(Admin admin, int replicas) {
        this.admin = admin;
        this.replicas = replicas;
    }

    /**
     * Does it for every topic of the catalogue.
     *
     * @return what was done and found, in the catalogue's order; empty when all was well
     * @throws KafkaException when the broker cannot be reached or refuses; some topics may then be
     *     made, and calling again goes on from there
     */
    public List<TopicFinding> run() {
        var there = done(admin.listTopics().names());
        var findings = new ArrayList<TopicFinding>(create(topics(name -> !there.contains(name))));
        findings.addAll(compare(topics(there::contains)));
        alter(findings);
        findings.sort((a, b) -> Integer.compare(place(a), place(b)));
        return findings;
    }

    private static int place(TopicFinding finding) {
        return Topics.all().stream().map(Topic::name).toList().indexOf(finding.topic());
    }

    private static List<Topic<?>> topics(Predicate<String> name) {
        return Topics.all().stream().filter(topic -> name.test(topic.name())).toList();
    }

    private List<Created> create(List<Topic<?>> missing) {
        var created = new ArrayList<Created>();
        var made = admin.createTopics(missing.stream().map(this::asNew).toList()).values();
        for (var topic : missing) {
            try {
                done(answered(made, topic.name()));
                created.add(new Created(topic.name(), topic.partitions(), replicas));
            } catch (TopicExistsException e) {
                // Another creator was faster: it is as we would have made it.
            }
        }
        return created;
    }

    private NewTopic asNew(Topic<?> topic) {
        var settings = new HashMap<>(topic.settings());
        settings.put(
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(Math.max(1, replicas - 1)));
        return new NewTopic(
                        topic.name(),
                        Optional.of(topic.partitions()),
                        Optional.of((short) replicas))
                .configs(settings);
    }

    private List<TopicFinding> compare(List<Topic<?>> existing) {
        var names = existing.stream().map(Topic::name).toList();
        var descriptions = done(admin.describeTopics(names).allTopicNames());
        var settings =
                done(
                        admin.describeConfigs(names.stream().map(TopicCreator::resource).toList())
                                .all());
        return existing.stream()
                .flatMap(topic ->
                        TopicComparison.of(
                                topic,
                                answered(descriptions, topic.name()).partitions().size(),
                                values(answered(settings, resource(topic.name())).entries()))
                                .stream())
                .toList();
    }

    private static Map<String, String> values(Collection<ConfigEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    private void alter(List<TopicFinding> findings) {
        var changes = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
        for (var finding : findings) {
            if (finding instanceof Changed(var topic, var setting, _, var is)) {
                changes.computeIfAbsent(resource(topic), _ -> new ArrayList<>())
                        .add(
                                new AlterConfigOp(
                                        new ConfigEntry(setting, is), AlterConfigOp.OpType.SET));
            }
        }
        done(admin.incrementalAlterConfigs(changes).all());
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static <K, V> V answered(Map<K, V> answers, K asked) {
        return requireNonNull(answers.get(asked), () -> "the broker says nothing of " + asked);
    }

    private static <T> T done(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
