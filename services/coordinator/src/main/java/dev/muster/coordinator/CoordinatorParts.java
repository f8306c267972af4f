package dev.muster.coordinator;

import dev.muster.coordinator.stream.CoordinatorConfig;
import dev.muster.coordinator.stream.CoordinatorStreams;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the process is made of. */
@Configuration(proxyBeanMethods = false)
class CoordinatorParts {
    @Bean(destroyMethod = "")
    CoordinatorStreams coordinatorStreams(
            KafkaProperties kafka,
            CoordinatorConfig config,
            MeterRegistry meters,
            @Value("${spring.application.version}") String version) {
        return new CoordinatorStreams(kafka.buildStreamsProperties(), config, meters, version);
    }

    /** Starts once all beans are made, and stops before any of them goes. */
    @Bean
    SmartLifecycle running(CoordinatorStreams streams) {
        return new Running(streams);
    }

    /** For readiness: every pool that is assigned to this process is hosted. */
    @Bean
    HealthIndicator streamsHealthIndicator(CoordinatorStreams streams) {
        return () ->
                (streams.isReady() ? Health.up() : Health.outOfService())
                        .withDetail("state", streams.state())
                        .build();
    }

    /** For liveness: what does not come back by itself is to be started anew. */
    @Bean
    HealthIndicator brokenHealthIndicator(CoordinatorStreams streams) {
        return () ->
                (streams.isBroken() ? Health.down() : Health.up())
                        .withDetail("state", streams.state())
                        .build();
    }

    private static final class Running implements SmartLifecycle {
        private final CoordinatorStreams streams;
        private volatile boolean isRunning;

        Running(CoordinatorStreams streams) {
            this.streams = streams;
        }

        @Override
        public void start() {
            isRunning = true;
            streams.start();
        }

        @Override
        public void stop() {
            streams.close();
            isRunning = false;
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }
    }
}
