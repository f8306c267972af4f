package dev.muster.coordinator.snapshotter;

import dev.muster.coordinator.stream.CoordinatorConfig;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;

/** The coordinator's jar as the snapshotter: one snapshot of each pool, then it ends. */
@EnableConfigurationProperties({CoordinatorConfig.class, KafkaProperties.class})
public class SnapshotProcess {
    /** The argument that makes the coordinator's jar this. */
    public static final String ARGUMENT = "snapshot";

    /**
     * Runs with the coordinator's own settings, and no more of Spring than reads them.
     *
     * @return the process's exit code, as {@link SnapshotOutcome#exitCode} has it
     */
    public static int run(String[] args) {
        try (var context =
                new SpringApplicationBuilder(SnapshotProcess.class)
                        .web(WebApplicationType.NONE)
                        .run(args)) {
            var written = context.getBean(Snapshotter.class).run();
            return SpringApplication.exit(
                    context, () -> SnapshotOutcome.exitCode(written.values()));
        }
    }

    @Bean
    Snapshotter snapshotter(
            KafkaProperties kafka,
            CoordinatorConfig config,
            @Value("${spring.application.version}") String version,
            @Value("${snapshot.any-version:false}") boolean anyVersion) {
        return new Snapshotter(
                kafka.buildAdminProperties(), config.applicationId(), version, anyVersion);
    }
}
