package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What would go into the images, on nothing instead of a base image. */
class ImagesIT {
    @ParameterizedTest
    @CsvSource({
        "services/admission, dev/muster/admission/",
        "services/coordinator, dev/muster/coordinator/",
        "services/pod-manager, dev/muster/podmanager/",
        "services/watcher, dev/muster/watcher/",
        "cli, dev/muster/cli/",
    })
    void imageHoldsTheModuleAndRunsAsNobody(String module, String classes) throws Exception {
        var tar = Path.of("..", module, "target", "jib-image.tar");
        Map<?, ?> image = Serialization.unmarshal(fileIn(tar, "config.json"), Map.class);
        var config = (Map<?, ?>) image.get("config");
        assertThat(config.get("User")).isEqualTo("65532:65532");
        assertThat((List<?>) config.get("Entrypoint"))
                .asString()
                .startsWith("[java, ")
                .contains(classes.replace('/', '.'));
        var files = files(tar);
        assertThat(files).anyMatch(file -> file.startsWith("app/classes/" + classes));
        assertThat(files).anyMatch(file -> file.startsWith("app/libs/muster-schemas-"));
        assertThat(files).noneMatch(file -> file.contains("junit"));
    }

    private static List<String> files(Path tar) throws Exception {
        var layers = Manifests.run(List.of("tar", "-tf", tar.toString()));
        var files = new ArrayList<String>();
        for (var layer : layers.text().lines().filter(f -> f.endsWith(".tar.gz")).toList()) {
            var list = "tar -xOf '%s' '%s' | tar -tzf -".formatted(tar, layer);
            files.addAll(Manifests.run(List.of("sh", "-c", list)).text().lines().toList());
        }
        return files;
    }

    private static String fileIn(Path tar, String name) throws Exception {
        var answer = Manifests.run(List.of("tar", "-xOf", tar.toString(), name));
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        return answer.text();
    }
}
