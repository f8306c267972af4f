package dev.muster.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.v1.ParkedHeader;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class KeptRecordTest {
    @Test
    void smallRecordIsKeptWhole() {
        var key = "ml/a".getBytes(UTF_8);
        var headers = new RecordHeaders().add("trace", "t1".getBytes(UTF_8)).add("none", null);

        var kept = KeptRecord.of(key, null, headers);

        assertThat(kept)
                .isEqualTo(
                        new KeptRecord(
                                ByteBuffer.wrap(key),
                                null,
                                List.of(
                                        new ParkedHeader(
                                                "trace", ByteBuffer.wrap("t1".getBytes(UTF_8))),
                                        new ParkedHeader("none", null)),
                                true));
        assertThat(kept.parkedKey()).isEqualTo("ml/a");
    }

    @Test
    void ofALargeOneTheBeginningIsKept() {
        var headers = new RecordHeaders();
        for (int i = 0; i < 100_000; i++) {
            headers.add("", null);
        }

        var kept = KeptRecord.of(new byte[5_000_000], new byte[5_000_000], headers);

        assertThat(kept.isWhole()).isFalse();
        assertThat(kept.key().remaining()).isEqualTo(128 << 10);
        assertThat(kept.value().remaining()).isEqualTo(3 << 20);
        assertThat(kept.headers()).hasSize(16 << 10);
        assertThat(kept.parkedKey()).hasSize(128 << 10);
    }
}
