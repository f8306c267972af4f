package dev.muster.cli.text;

import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Maps, lists and scalars as text. */
public final class Documents {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final JsonMapper LINE = JsonMapper.shared();

    private Documents() {}

    /** One after the other. */
    public static String yaml(List<?> documents) {
        return new Dump(settings(documents.size() > 1)).dumpAllToString(documents.iterator());
    }

    /**
     * One after the other, of which there may be too many to have all their texts at once.
     *
     * @param severally whether there are several
     */
    public static void yaml(Iterator<?> documents, boolean severally, PrintWriter to) {
        new Dump(settings(severally)).dumpAll(documents, new Yaml(to));
    }

    /** Where YAML is written to. */
    private record Yaml(PrintWriter to) implements StreamDataWriter {
        @Override
        public void write(String text) {
            to.write(text);
        }

        @Override
        public void write(String text, int from, int length) {
            to.write(text, from, length);
        }
    }

    /** A list, of which there may be too many to have all their texts at once. */
    public static void json(Iterator<?> documents, PrintWriter to) {
        var writer = JSON.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET);
        try (var list = writer.writeValuesAsArray(to)) {
            documents.forEachRemaining(list::write);
        }
        to.println();
    }

    /** One of many that follow each other, begun by a line of its own. */
    public static String yamlOfMany(Object document) {
        return new Dump(settings(true)).dumpToString(document);
    }

    /**
     * By the schema that forms are read with: a text is in quotes where that reads it otherwise.
     */
    private static DumpSettings settings(boolean explicitStart) {
        return DumpSettings.builder()
                .setSchema(new CoreSchema())
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setExplicitStart(explicitStart)
                .setWidth(120)
                .build();
    }

    /** One of many that follow each other, in one line. */
    public static String jsonOfMany(Object document) {
        return LINE.writeValueAsString(document) + "\n";
    }

    /** As a list, or the first alone. */
    public static String json(List<?> documents, boolean list) {
        return JSON.writeValueAsString(list ? documents : documents.getFirst()) + "\n";
    }
}
