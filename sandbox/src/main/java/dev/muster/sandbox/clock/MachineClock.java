package dev.muster.sandbox.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The wall clock of some JVMs, which a test sets while they run. */
public final class MachineClock {
    private final Path agent;
    private final Path file;

    /**
     * A clock that is right.
     *
     * @param folder takes the agent, and what the clock is set to
     */
    public MachineClock(Path folder) {
        agent = folder.resolve("clock-agent.jar");
        file = folder.resolve("clock-is-ahead-by");
        try {
            Files.deleteIfExists(file);
            var everywhere = folder.resolve("clock-everywhere.jar");
            write(everywhere, new Manifest(), List.of(WallClock.class));
            var agents = new ArrayList<Class<?>>(List.of(ClockAgent.class, Redirected.class));
            agents.addAll(List.of(ClockAgent.class.getDeclaredClasses()));
            write(agent, manifest(everywhere), agents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the JDK's own classes are to see has a jar of its own. */
    private static Manifest manifest(Path everywhere) {
        var manifest = new Manifest();
        var main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Premain-Class", ClockAgent.class.getName());
        main.putValue("Can-Retransform-Classes", "true");
        main.putValue("Boot-Class-Path", everywhere.getFileName().toString());
        return manifest;
    }

    private static void write(Path jar, Manifest manifest, List<Class<?>> classes)
            throws IOException {
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (var type : classes) {
                var name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (var in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
        }
    }

    /** With it a JVM goes by this clock. */
    public String flag() {
        return "-javaagent:%s=%s".formatted(agent, file);
    }

    /**
     * Sets it: at most a few hundredths of a second later it is seen everywhere.
     *
     * @param ahead of the real one; zero: it is right again
     */
    public void set(Duration ahead) {
        var whole = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(whole, Long.toString(ahead.toMillis()));
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
