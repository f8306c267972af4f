package dev.muster.sandbox.kubernetes;

import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A folder of {@code sandbox/kube} as it lies in our jar.
 *
 * @param required the module that it is there for
 * @param version with the leading {@code v}
 */
record GoModule(String name, String required, String version) {
    private static final List<String> FILES = List.of("go.mod", "go.sum", "tools.go");

    /** The one requirement that stands in a line of its own; the others stand in a block. */
    private static final Pattern REQUIREMENT =
            Pattern.compile("^require (\\S+) (v\\S+)$", Pattern.MULTILINE);

    static GoModule named(String name) {
        var goMod = new String(bytes(name, "go.mod"), StandardCharsets.UTF_8);
        var requirement = REQUIREMENT.matcher(goMod);
        if (!requirement.find()) {
            throw new IllegalStateException("no requirement in kube/" + name + "/go.mod");
        }
        return new GoModule(name, requirement.group(1), requirement.group(2));
    }

    /** The name of the cache's folder for what is built of it: {@code kubernetes-v1.36.3}. */
    String cacheFolder() {
        var what = name.equals("control-plane") ? "kubernetes" : name;
        return what + "-" + version;
    }

    /** Copies the module into a folder that is there. */
    void copyInto(Path folder) throws IOException {
        for (var file : FILES) {
            Files.write(folder.resolve(file), bytes(name, file));
        }
    }

    private static byte[] bytes(String module, String file) {
        var resource = "/dev/muster/sandbox/kube/" + module + "/" + file;
        try (var in = GoModule.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new PartFailedException(
                        resource + " is not on the class path: run mvn package");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
