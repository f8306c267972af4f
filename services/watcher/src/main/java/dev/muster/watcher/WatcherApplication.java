package dev.muster.watcher;

import dev.muster.schemas.clock.WallClock;
import dev.muster.watcher.Watcher.KafkaSettings;
import dev.muster.watcher.kubernetes.Cluster;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;

/** The watcher as a process. */
@SpringBootApplication
@EnableConfigurationProperties(WatcherConfig.class)
public class WatcherApplication {
    private static final Logger LOG = LoggerFactory.getLogger(WatcherApplication.class);

    public static void main(String[] args) {
        SpringApplication.run(WatcherApplication.class, args);
    }

    @Bean
    Cluster cluster(WatcherConfig config) {
        return new Cluster(config.webSockets());
    }

    /** A shard whose rules failed cannot go on in this process; another one takes over. */
    @Bean
    Watcher watcher(WatcherConfig config, Cluster cluster, KafkaProperties kafka) {
        return new Watcher(
                config,
                "watcher-" + UUID.randomUUID(),
                cluster,
                new KafkaSettings(kafka.buildProducerProperties(), kafka.buildConsumerProperties()),
                () -> System.exit(1));
    }

    /** For liveness: it might not reach the broker again before the clock has caught up. */
    @Bean
    HealthIndicator clockHealthIndicator() {
        var clock =
                WallClock.ofThisMachine(() -> LOG.atError().log("THE CLOCK WAS SET BACK: restart"));
        return () -> (clock.wasSetBack() ? Health.down() : Health.up()).build();
    }

    @Bean
    WatcherHealth watcherHealthIndicator(Watcher watcher) {
        return new WatcherHealth(watcher);
    }
}
