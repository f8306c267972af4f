package dev.muster.schemas.serde;

import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigException;

/** Under which subject a schema stands; named as Confluent's classes are. */
enum SubjectName {
    TopicNameStrategy,
    RecordNameStrategy,
    TopicRecordNameStrategy;

    private static final String CONFLUENT = "io.confluent.kafka.serializers.subject.";

    /**
     * @param name of Confluent's class, with its package or without
     */
    static SubjectName parse(String key, String name) {
        for (var strategy : values()) {
            if (name.equals(strategy.name()) || name.equals(CONFLUENT + strategy.name())) {
                return strategy;
            }
        }
        throw new ConfigException(
                key, name, "may be TopicNameStrategy, RecordNameStrategy, TopicRecordNameStrategy");
    }

    String of(String topic, boolean isKey, Schema schema) {
        return switch (this) {
            case TopicNameStrategy -> topic + (isKey ? "-key" : "-value");
            case RecordNameStrategy -> schema.getFullName();
            case TopicRecordNameStrategy -> topic + "-" + schema.getFullName();
        };
    }
}
