package dev.muster.podmanager.kafka;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Up once we have partitions and all of them are open for work. */
@Component
final class PlansHealthIndicator implements HealthIndicator {
    private final Service service;

    PlansHealthIndicator(Service service) {
        this.service = service;
    }

    @Override
    public Health health() {
        var health = service.isReady() ? Health.up() : Health.outOfService();
        return health.withDetail("partitions", service.partitions())
                .withDetail("held", service.held())
                .build();
    }
}
