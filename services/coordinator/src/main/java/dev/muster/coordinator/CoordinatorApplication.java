package dev.muster.coordinator;

import dev.muster.coordinator.snapshotter.SnapshotProcess;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The coordinator as a process; with the argument {@code snapshot} the snapshotter. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class CoordinatorApplication {
    public static void main(String[] args) {
        if (Arrays.asList(args).contains(SnapshotProcess.ARGUMENT)) {
            System.exit(SnapshotProcess.run(args));
        }
        SpringApplication.run(CoordinatorApplication.class, args);
    }
}
