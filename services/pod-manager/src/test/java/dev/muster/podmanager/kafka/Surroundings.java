package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.podmanager.PodManager;
import dev.muster.sandbox.TestParts;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Backend;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.ListedPod;
import dev.muster.v1.Parked;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.ServiceResource;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The broker, the registry and the API server, and the coordinator's part played by the test. */
final class Surroundings {
    static final Duration SOON = Duration.ofSeconds(30);
    static final String INSTALLATION = "pod-manager-it";
    static final String NAMESPACE = "pm-it";
    static final String POOL = "default";
    static final int POOL_NUMBER = 3;

    private @Nullable ConfigurableApplicationContext service;
    private final KubernetesClient kubernetes;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<String, InboxEvent> inbox;
    private final KafkaConsumer<String, Parked> parked;
    private final AvroSerializer<JobPlan> plans = new AvroSerializer<>();
    private final AvroSerializer<PoolState> pools = new AvroSerializer<>();
    private final List<InboxEvent> heard = new ArrayList<>();
    private final List<Parked> seenParked = new ArrayList<>();

    private static final class Once {
        static final Surroundings SHARED = new Surroundings();

        static {
            SHARED.publishPool();
            var _ = SHARED.namespace(NAMESPACE);
            SHARED.service = podManager();
        }
    }

    /** The same for all tests of this JVM, with one pod-manager at work. */
    static Surroundings shared() {
        return Once.SHARED;
    }

    /** Does this while no pod-manager runs; then another one does. */
    void betweenPodManagers(Runnable what) {
        Objects.requireNonNull(service).close();
        what.run();
        service = podManager();
    }

    /** One has just taken over whose regular sweeps are far off. */
    void afterATakeover(Runnable what) {
        betweenPodManagers(() -> {
            try (var _ = podManager("1h")) {
                what.run();
            }
        });
    }

    /** How ready the shared pod-manager says it is, by HTTP. */
    String readiness() {
        var port =
                Objects.requireNonNull(service).getEnvironment().getProperty("local.server.port");
        var uri = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
        try (var http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Surroundings() {
        var registry = Map.of("schema.registry.url", TestParts.registryUrl());
        plans.configure(registry, false);
        pools.configure(registry, false);
        var broker = Map.<String, Object>of("bootstrap.servers", TestParts.bootstrapServers());
        try (var admin = Admin.create(broker)) {
            new TopicCreator(admin, 1).run();
        }
        producer =
                new KafkaProducer<>(broker, new ByteArraySerializer(), new ByteArraySerializer());
        inbox = consumer(new AvroDeserializer<>(InboxEvent.class));
        inbox.assign(List.of(new TopicPartition(Topics.INBOX.name(), POOL_NUMBER)));
        inbox.seekToBeginning(inbox.assignment());
        parked = consumer(new AvroDeserializer<>(Parked.class));
        var partitions = new ArrayList<TopicPartition>();
        for (int i = 0; i < Topics.PARKED.partitions(); i++) {
            partitions.add(new TopicPartition(Topics.PARKED.name(), i));
        }
        parked.assign(partitions);
        parked.seekToBeginning(partitions);
        System.setProperty("kubeconfig", TestParts.kubeconfig().toString());
        kubernetes =
                new KubernetesClientBuilder()
                        .withConfig(
                                Config.fromKubeconfig(new File(TestParts.kubeconfig().toString())))
                        .build();
    }

    private static <T extends SpecificRecord> KafkaConsumer<String, T> consumer(
            Deserializer<T> values) {
        var settings =
                Map.<String, Object>of(
                        "bootstrap.servers",
                        TestParts.bootstrapServers(),
                        "schema.registry.url",
                        TestParts.registryUrl());
        values.configure(settings, false);
        return new KafkaConsumer<>(settings, new StringDeserializer(), values);
    }

    /** A pod-manager of its own; what tests wait for happens sooner than in a real one. */
    static ConfigurableApplicationContext podManager() {
        return podManager("500ms");
    }

    private static ConfigurableApplicationContext podManager(String sweepEvery) {
        return new SpringApplicationBuilder(PodManager.class)
                .run(
                        "--server.port=0",
                        "--spring.kafka.bootstrap-servers=" + TestParts.bootstrapServers(),
                        "--spring.kafka.properties.schema.registry.url=" + TestParts.registryUrl(),
                        "--spring.kafka.consumer.group-id=" + INSTALLATION,
                        "--pod-manager.installation=" + INSTALLATION,
                        "--pod-manager.backoff-max=1s",
                        "--pod-manager.alive-every=500ms",
                        "--pod-manager.sweep-closely-every=500ms",
                        "--pod-manager.sweep-every=" + sweepEvery);
    }

    KubernetesClient kubernetes() {
        return kubernetes;
    }

    String namespace(String name) {
        kubernetes
                .resource(new NamespaceBuilder().withNewMetadata().withName(name).and().build())
                .create();
        return name;
    }

    void publishPool() {
        publishPool(POOL, POOL_NUMBER, Backend.NONE);
    }

    void publishPool(String name, int number, Backend backend) {
        var pool =
                PoolState.newBuilder()
                        .setEnvelope(envelope("pool").build())
                        .setName(name)
                        .setNumber(number)
                        .setSpec(PoolSpec.newBuilder().setBackend(backend).build())
                        .build();
        send(
                new ProducerRecord<>(
                        Topics.POOLS.name(),
                        0,
                        name.getBytes(StandardCharsets.UTF_8),
                        pools.serialize(Topics.POOLS.name(), pool)));
    }

    void publish(JobPlan plan) {
        publish(JobKeys.of(plan.getJob()), plans.serialize(Topics.JOB_PLANS.name(), plan));
    }

    void publish(String key, byte[] value) {
        send(
                new ProducerRecord<>(
                        Topics.JOB_PLANS.name(),
                        Partitions.ofKey(Topics.JOB_PLANS, key),
                        key.getBytes(StandardCharsets.UTF_8),
                        value));
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All that the pool heard since the beginning. */
    List<InboxEvent> inbox() {
        inbox.poll(Duration.ofMillis(50)).forEach(record -> heard.add(record.value()));
        return heard;
    }

    /** What the pool heard of one job. */
    List<InboxEvent> reports(String name) {
        return inbox().stream()
                .filter(e -> e.getKind() != InboxKind.POD_MANAGER_ALIVE)
                .filter(e -> e.getJob() != null && e.getJob().getName().equals(name))
                .toList();
    }

    List<Parked> parked() {
        parked.poll(Duration.ofMillis(50)).forEach(record -> seenParked.add(record.value()));
        return seenParked;
    }

    static Envelope.Builder envelope(String id) {
        return Envelope.newBuilder()
                .setId(id)
                .setAt(Instant.now().truncatedTo(ChronoUnit.MICROS))
                .setActor("coordinator");
    }

    InboxEvent onlyReport(String job) {
        var reports = reports(job, 1);
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    List<InboxEvent> reports(String job, int atLeast) {
        return await().atMost(SOON).until(() -> reports(job), reports -> reports.size() >= atLeast);
    }

    static List<String> names(List<ListedPod> pods) {
        return pods.stream().map(p -> p.getIdentity().getPod()).toList();
    }

    List<Pod> pods(String job) {
        return kubernetes
                .pods()
                .inAnyNamespace()
                .withLabel("muster.dev/job", job)
                .list()
                .getItems();
    }

    Pod pod(String name) {
        return kubernetes.pods().inNamespace(NAMESPACE).withName(name).get();
    }

    ServiceResource<Service> service(String name) {
        return kubernetes.services().inNamespace(NAMESPACE).withName(name);
    }

    /** Plays the kubelet: the pod's processes have ended. */
    void end(String pod) {
        kubernetes.pods().inNamespace(NAMESPACE).withName(pod).withGracePeriod(0).delete();
    }

    /** Plays a pod-manager that wakes up late. */
    void makeAgain(Pod pod) {
        var metadata = pod.getMetadata();
        kubernetes
                .resource(
                        new PodBuilder()
                                .withNewMetadata()
                                .withName(metadata.getName())
                                .withNamespace(metadata.getNamespace())
                                .withLabels(metadata.getLabels())
                                .endMetadata()
                                .withSpec(pod.getSpec())
                                .build())
                .create();
    }

    /** What the API server would say; nothing is made. */
    void tryToCreate(String pod, String namespace) {
        kubernetes.resource(bare(pod, namespace)).dryRun().create();
    }

    static Pod bare(String name, String namespace) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    /** A bound pod ends only when its kubelet says so; there is none. */
    void bind(String pod) {
        kubernetes
                .bindings()
                .inNamespace(NAMESPACE)
                .resource(
                        new BindingBuilder()
                                .withNewMetadata()
                                .withName(pod)
                                .withNamespace(NAMESPACE)
                                .endMetadata()
                                .withNewTarget()
                                .withKind("Node")
                                .withName("node-a")
                                .endTarget()
                                .build())
                .create();
    }
}
