package dev.muster.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where figures were taken, in words.
 *
 * @param load how many threads wanted to run on average in the last minute, by whomever
 */
record Machine(
        int cpus, String processor, long memoryMebibytes, String system, String jvm, double load) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    static Machine here() {
        var bean = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                bean.getAvailableProcessors(),
                processorName(),
                bean.getTotalMemorySize() >> 20,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.version"),
                bean.getSystemLoadAverage());
    }

    /** Only Linux says. */
    private static String processorName() {
        try (var lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d cpus (%s), %d MiB, %s, JVM %s; load before: %.2f",
                cpus,
                processor,
                memoryMebibytes,
                system,
                jvm,
                load);
    }
}
