package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.PodManagerConfig;
import dev.muster.podmanager.core.TokenBucket;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes what speaks with the API server. */
@Configuration(proxyBeanMethods = false)
class KubernetesSetup {
    /** Finds the cluster as kubectl does; repeats nothing by itself, since we keep the back-off. */
    @Bean
    KubernetesClient kubernetes() {
        var config = new ConfigBuilder().withRequestRetryBackoffLimit(0).build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Bean
    Cluster cluster(KubernetesClient client, PodManagerConfig config, InstantSource clock) {
        var bucket = new TokenBucket(config.apiQps(), config.apiBurst(), clock.instant());
        var limit = new RateLimit(bucket, config.apiRequestsAtOnce(), clock);
        var api = new ApiServer(client, limit, config.apiTimeout(), config.backoffMax());
        return new Cluster(api, config.installation());
    }
}
