package dev.muster.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"default/hello", "ml/resnet", "größe/ä", "a/b"})
    void keyWithoutUidGoesWhereTheJavaClientSendsIt(String key) {
        assertThat(Partitions.ofKey(key, 16))
                .isEqualTo(BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), 16));
    }

    @ParameterizedTest
    @CsvSource({"default,hello,3-1", "ml,resnet,15-9000000000"})
    void submissionStandsInThePartitionOfItsName(String namespace, String name, String uid) {
        var key = JobKeys.of(namespace, name, Uid.parse(uid));

        assertThat(Partitions.ofKey(Topics.JOB_PLANS, key))
                .isEqualTo(Partitions.ofName(namespace, name))
                .isEqualTo(Partitions.ofKey(Topics.JOB_REQUESTS, namespace + "/" + name));
    }

    /** Fixed for ever: another answer would part a name from its history. */
    @ParameterizedTest
    @CsvSource({"default,hello,0", "ml,resnet,13", "team-a,train,6"})
    void partitionOfANameNeverChanges(String namespace, String name, int partition) {
        assertThat(Partitions.ofName(namespace, name)).isEqualTo(partition);
    }
}
