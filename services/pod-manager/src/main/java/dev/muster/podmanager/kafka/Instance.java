package dev.muster.podmanager.kafka;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** This process among the pod-managers, and the ids of the records that it writes. */
@Component
final class Instance {
    private final String name = "pod-manager-" + UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong records = new AtomicLong();

    String name() {
        return name;
    }

    String nextId() {
        return name + "/" + records.incrementAndGet();
    }
}
