package dev.muster.cli.text;

import java.util.List;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
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
        var settings =
                DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setExplicitStart(documents.size() > 1)
                        .setWidth(120)
                        .build();
        return new Dump(settings).dumpAllToString(documents.iterator());
    }

    /** One of many that follow each other, begun by a line of its own. */
    public static String yamlOfMany(Object document) {
        var settings =
                DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setExplicitStart(true)
                        .setWidth(120)
                        .build();
        return new Dump(settings).dumpToString(document);
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
