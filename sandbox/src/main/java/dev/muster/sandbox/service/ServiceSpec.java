package dev.muster.sandbox.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of Muster's services and how it is to run.
 *
 * @param name its part's name; two instances of one service have two
 * @param jar the executable one
 * @param jvmFlags for the JVM; the archive of its classes is made for exactly these
 * @param archived whether it starts from an archive of its classes, which only a sandbox has
 * @param arguments for the application, {@code --server.port} aside, which is chosen by the place
 * @param environment added to this JVM's own
 */
public record ServiceSpec(
        String name,
        Path jar,
        List<String> jvmFlags,
        boolean archived,
        List<String> arguments,
        Map<String, String> environment) {
    /** Fast to start and small, slower at full load: not for measuring. */
    private static final List<String> QUICK =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    public ServiceSpec {
        jvmFlags = List.copyOf(jvmFlags);
        arguments = List.copyOf(arguments);
        environment = new TreeMap<>(environment);
    }

    /** A service with flags for a quick start and nothing else said. */
    public static ServiceSpec of(String name, Path jar) {
        return new ServiceSpec(name, jar, QUICK, true, List.of(), Map.of());
    }

    /** The same with one more property of Spring's, as an argument. */
    public ServiceSpec with(String property, Object value) {
        var all = new ArrayList<>(arguments);
        all.add("--" + property + "=" + value);
        return new ServiceSpec(name, jar, jvmFlags, archived, all, environment);
    }

    /** The same with one more variable in its environment. */
    public ServiceSpec withVariable(String variable, String value) {
        var all = new TreeMap<>(environment);
        all.put(variable, value);
        return new ServiceSpec(name, jar, jvmFlags, archived, arguments, all);
    }

    /** The same with other flags for the JVM. */
    public ServiceSpec withJvmFlags(List<String> flags) {
        return new ServiceSpec(name, jar, flags, archived, arguments, environment);
    }

    /** The same as a deployment starts it: with its flags, and no archive of classes. */
    public ServiceSpec deployedWith(List<String> flags) {
        return new ServiceSpec(name, jar, flags, false, arguments, environment);
    }

    /** Another instance of the same service: a process of its own, with a folder of its own. */
    public ServiceSpec named(String other) {
        return new ServiceSpec(other, jar, jvmFlags, archived, arguments, environment);
    }
}
