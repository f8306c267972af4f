package dev.muster.podmanager;

import dev.muster.schemas.clock.MonotonicClock;
import dev.muster.schemas.clock.WallClock;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PodManager {
    private static final Logger LOG = LoggerFactory.getLogger(PodManager.class);

    static void main(String[] args) {
        SpringApplication.run(PodManager.class, args);
    }

    @Bean
    InstantSource monotonicClock() {
        return new MonotonicClock();
    }

    /** For liveness: it might not reach the broker again before the clock has caught up. */
    @Bean
    HealthIndicator clockHealthIndicator() {
        var clock =
                WallClock.ofThisMachine(() -> LOG.atError().log("THE CLOCK WAS SET BACK: restart"));
        return () -> (clock.wasSetBack() ? Health.down() : Health.up()).build();
    }
}
