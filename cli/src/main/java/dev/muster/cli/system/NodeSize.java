package dev.muster.cli.system;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the local node says it has.
 *
 * @param memory a Kubernetes quantity
 */
public record NodeSize(int cpus, String memory) {
    private static final long MEBIBYTE = 1 << 20;

    /** As much as the machine has. */
    public static NodeSize ofTheMachine() {
        var bytes =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getTotalMemorySize();
        return new NodeSize(Runtime.getRuntime().availableProcessors(), bytes / MEBIBYTE + "Mi");
    }
}
