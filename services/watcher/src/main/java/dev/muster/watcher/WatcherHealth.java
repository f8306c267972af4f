package dev.muster.watcher;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up once every shard knows all there is, whether this process holds it or stands by. */
final class WatcherHealth implements HealthIndicator {
    private final Watcher watcher;

    WatcherHealth(Watcher watcher) {
        this.watcher = watcher;
    }

    @Override
    public Health health() {
        return (watcher.isReady() ? Health.up() : Health.outOfService())
                .withDetail("holds", watcher.shardsHeld())
                .build();
    }
}
