package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardsTest {
    @ParameterizedTest
    @CsvSource({
        "1, ml, 0",
        "4, ml, 3",
        "4, default, 1",
        "7, kube-system, 6",
        "2, polygenelubricants, 0"
    })
    void aNamespaceHasOneShardForEver(int count, String namespace, int shard) {
        assertThat(new Shards(count).of(namespace)).isEqualTo(shard);
    }

    @Test
    void thereIsAlwaysAShard() {
        assertThatThrownBy(() -> new Shards(0)).hasMessage("There must be a shard, were 0");
    }
}
