package dev.muster.cli.text;

import java.util.List;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;
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
