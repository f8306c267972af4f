package dev.muster.coordinator.stream.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Parked;
import dev.muster.v1.ParkedDecision;
import dev.muster.v1.ParkedHeader;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParkingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Origin ORIGIN = new Origin("gpu", 5, 42, null);

    @Test
    void parkedRecordIsKeptWholeAndADecisionSaysSo() {
        var raw = record(bytes("gpu"), bytes("rubbish"));

        var outputs = Parking.of(ORIGIN, raw, null, _ -> false, NOON, "no record");

        assertThat(outputs)
                .extracting(Output::topic)
                .containsExactly(Topics.DECISIONS, Topics.PARKED);
        assertThat((Decision) outputs.getFirst().value())
                .returns(DecisionKind.PARKED, Decision::getKind)
                .returns(new ParkedDecision(42L, "no record"), Decision::getParked);
        assertThat((Parked) outputs.getLast().value())
                .returns("5-42/1", parked -> parked.getEnvelope().getId())
                .returns(Topics.INBOX.name(), Parked::getTopic)
                .returns(5, Parked::getPartition)
                .returns(42L, Parked::getOffset)
                .returns(NOON.minusSeconds(1), Parked::getTimestamp)
                .returns(ByteBuffer.wrap(bytes("gpu")), Parked::getKey)
                .returns(ByteBuffer.wrap(bytes("rubbish")), Parked::getValue)
                .returns(
                        List.of(new ParkedHeader("trace", ByteBuffer.wrap(bytes("t1")))),
                        Parked::getHeaders);
    }

    @Test
    void whatIsTooLargeToBeKeptWholeIsCut() {
        var raw = record(null, new byte[5_000_000]);

        var outputs = Parking.of(ORIGIN, raw, null, _ -> false, NOON, "too large");

        assertThat(outputs.getLast().key()).isEqualTo("gpu");
        assertThat(((Parked) outputs.getLast().value()).getValue().remaining())
                .isEqualTo(3 * 1024 * 1024);
    }

    private static Record<byte[], byte[]> record(byte @Nullable [] key, byte[] value) {
        return new Record<>(
                key,
                value,
                NOON.minusSeconds(1).toEpochMilli(),
                new RecordHeaders().add("trace", bytes("t1")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
