package dev.muster.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class TestPartsIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final Pod POD =
            new PodBuilder()
                    .withNewMetadata()
                    .withName("one")
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("main")
                    .withImage("none")
                    .endContainer()
                    .endSpec()
                    .build();

    @Test
    void brokerGivesBackTheRecordThatItTook() throws Exception {
        Map<String, Object> broker = Map.of("bootstrap.servers", TestParts.bootstrapServers());
        try (var admin = Admin.create(broker);
                var producer =
                        new KafkaProducer<>(
                                broker, new StringSerializer(), new StringSerializer());
                var consumer =
                        new KafkaConsumer<>(
                                broker, new StringDeserializer(), new StringDeserializer())) {
            admin.createTopics(List.of(new NewTopic("news", 1, (short) 1))).all().get();
            producer.send(new ProducerRecord<>("news", "key", "value")).get();
            var partition = new TopicPartition("news", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            var records = consumer.poll(Duration.ofSeconds(10));
            assertThat(StreamSupport.stream(records.spliterator(), false).map(r -> r.value()))
                    .containsExactly("value");
        }
    }

    @Test
    void registryTakesASchemaAndRefusesAnIncompatibleOne() throws Exception {
        assertThat(register("{\"type\": \"record\", \"name\": \"R\", \"fields\": []}").statusCode())
                .isEqualTo(200);
        assertThat(register("{\"type\": \"record\", \"name\": \"S\", \"fields\": []}").statusCode())
                .isEqualTo(409);
    }

    @Test
    void apiServerGivesBackThePodThatItTook() {
        var config = Config.fromKubeconfig(TestParts.kubeconfig().toFile());
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            var made = client.pods().inNamespace("default").resource(POD).create();
            assertThat(client.pods().inNamespace("default").withName("one").get().getMetadata())
                    .isEqualTo(made.getMetadata());
        }
    }

    private static HttpResponse<String> register(String schema) throws Exception {
        var body = "{\"schema\": \"" + schema.replace("\"", "\\\"") + "\"}";
        var request =
                HttpRequest.newBuilder(
                                URI.create(TestParts.registryUrl() + "/subjects/r-value/versions"))
                        .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
