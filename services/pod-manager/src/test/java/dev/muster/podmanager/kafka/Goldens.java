package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Write;
import dev.muster.podmanager.core.Agent;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Labels;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.PodNotes;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.core.Ssh;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The folders of {@code goldens}: jobs, and what is made of them. */
record Goldens(Path folder) {
    private static final Agent.Files AGENT = new Agent.Files("its source\n", "0123456789abcdef");
    private static final Ssh.Keys KEYS =
            new Ssh.Keys(
                    new Ssh.Pair("the launcher's secret\n", "ssh-ed25519 AAAALAUNCHER"),
                    new Ssh.Pair("the hosts' secret\n", "ssh-ed25519 AAAAHOSTS"));
    private static final Path ALL = Path.of("src", "test", "resources", "goldens");

    static Stream<Goldens> all() {
        try (var folders = Files.list(ALL)) {
            return folders.filter(Files::isDirectory).sorted().map(Goldens::new).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path expected() {
        return folder.resolve("objects.yaml");
    }

    /** What this build makes of the job, as the file says it. */
    String text() {
        return objects().stream().map(Serialization::asYaml).collect(Collectors.joining());
    }

    /** All that is made of the job, in order: the cluster takes everything. */
    List<HasMetadata> objects() {
        var plan = plan();
        var reconcile = new Reconcile("muster", () -> AGENT, () -> KEYS);
        var made = new ArrayList<HasMetadata>();
        var listing = new Listing(List.of());
        for (var writes = writes(reconcile, plan, listing);
                !writes.isEmpty();
                writes = writes(reconcile, plan, listing)) {
            for (var write : writes) {
                var object =
                        switch (write) {
                            case CreatePod(var pod) -> pod;
                            case Apply(_, var other, _, _) -> other;
                            case Create(_, var other) -> other;
                            case AskRestart _ ->
                                    throw new IllegalStateException(
                                            "a new job asks for no restart");
                            case Delete delete -> throw new IllegalStateException("" + delete);
                        };
                var kind =
                        switch (write) {
                            case Apply(var applied, _, _, _) -> applied;
                            case Create(var created, _) -> created;
                            case CreatePod _, AskRestart _, Delete _ -> Kind.POD;
                        };
                if (kind == Kind.POD && write instanceof Apply) {
                    listing = listing.with(told(listing, object));
                    continue; // One that is there is told of its host list.
                }
                // Over what it is written is no part of it.
                object.getMetadata().setResourceVersion(null);
                made.add(object);
                listing = listing.with(List.of(seen(plan, kind, object)));
            }
        }
        return made;
    }

    private Plan plan() {
        var plan = PlannedJob.of(read("job.yaml"), read("pool.yaml")).plan(read("scale.yaml"));
        var key = JobKeys.of(plan.getJob());
        var record =
                new ConsumerRecord<byte[], byte[]>(
                        Topics.JOB_PLANS.name(),
                        Partitions.ofKey(Topics.JOB_PLANS, key),
                        0,
                        key.getBytes(StandardCharsets.UTF_8),
                        new byte[0]);
        return ((PlanRecord.Known) new PlanReading(_ -> plan).read(record)).plan();
    }

    private static List<Write> writes(Reconcile reconcile, Plan plan, Listing listing) {
        return reconcile.decide(plan, listing).stream()
                .filter(Write.class::isInstance)
                .map(Write.class::cast)
                .toList();
    }

    private static List<Seen> told(Listing listing, HasMetadata pod) {
        var name = pod.getMetadata().getName();
        var notes = PodNotes.read(pod.getMetadata().getAnnotations());
        return listing.objects().stream()
                .filter(o -> o.kind() == Kind.POD && o.name().equals(name))
                .map(o -> Seen.of(o.kind(), name, o.uid(), o.mark()).with(notes))
                .toList();
    }

    private static Seen seen(Plan plan, Kind kind, HasMetadata object) {
        var metadata = object.getMetadata();
        var name = metadata.getName();
        return Seen.of(
                kind,
                name,
                "uid-of-the-" + object.getKind().toLowerCase(java.util.Locale.ROOT),
                Labels.read("muster", plan.job().job(), kind, name, metadata.getLabels()));
    }

    /** Empty where there is no such file. */
    private String read(String file) {
        var path = folder.resolve(file);
        try {
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return folder.getFileName().toString();
    }
}
