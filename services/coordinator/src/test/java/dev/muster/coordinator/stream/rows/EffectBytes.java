package dev.muster.coordinator.stream.rows;

import dev.muster.coordinator.core.effects.Effect;
import tools.jackson.databind.ObjectWriter;

/** Effects as rows are written, for comparing: nobody reads them back. */
public final class EffectBytes {
    private static final ObjectWriter WRITER = RowCodec.MAPPER.writerFor(Effect.class);

    private EffectBytes() {}

    public static byte[] of(Effect effect) {
        return WRITER.writeValueAsBytes(effect);
    }
}
