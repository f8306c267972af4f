package dev.muster.podmanager.kubernetes;

import static dev.muster.podmanager.kubernetes.KindPaths.group;
import static dev.muster.podmanager.kubernetes.KindPaths.path;
import static dev.muster.podmanager.kubernetes.KindPaths.plural;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Action.Write;
import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.podmanager.core.HostList;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Labels;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Look;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.PodNotes;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.core.Sweep.Found;
import dev.muster.podmanager.kubernetes.ApiServer.Reply;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The objects of jobs in the cluster. Every method may be called from many threads at once. */
public final class Cluster {
    private static final int PAGE = 500;

    /** Large gangs all at once are to come within the timeout of one request. */
    private static final int JOBS_PER_LIST = 16;

    private static final String NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";

    /** A field that is no pod's is an error, as with kubectl, and is not dropped in silence. */
    private static final String STRICT = "?fieldValidation=Strict";

    private final ApiServer api;
    private final String installation;
    private final Map<Listed, SharedAnswers<String, List<Seen>>> shared = new ConcurrentHashMap<>();
    private final ServedKinds served;

    /** What jobs of one namespace can be listed by together. */
    private record Listed(Kind kind, String namespace, boolean phases) {}

    Cluster(ApiServer api, String installation) {
        this.api = api;
        this.installation = installation;
        served = new ServedKinds(api);
    }

    /**
     * An answer to a write.
     *
     * @param made what the answer shows of it; null: nothing
     * @param gone what was to be deleted is, and does not end first
     */
    public record Written(ApiAnswer answer, @Nullable Seen made, boolean gone) {
        /** One that deleted nothing, or only told it to end. */
        public Written(ApiAnswer answer, @Nullable Seen made) {
            this(answer, made, false);
        }
    }

    /**
     * What the cluster holds of a job now, of whichever submission: a consistent read, not a
     * cache's. What bears the job's name is looked up by it, so that somebody else's is seen too.
     *
     * @throws IOException when the API server does not answer, or not with a list
     */
    public Listing list(JobName job, Look look) throws IOException {
        var objects = new ArrayList<Seen>();
        objects.addAll(labelled(Kind.POD, job, look.phases()));
        for (var kind : look.labelled()) {
            objects.addAll(labelled(kind, job, false));
        }
        for (var kind : look.named()) {
            var name = kind == Kind.HOST_LIST ? HostList.name(job) : job.name();
            look(kind, job, name).ifPresent(objects::add);
        }
        return new Listing(objects, look.restarting() ? served.knownRestarting() : Restarting.NONE);
    }

    /**
     * The API server looks at every object of the namespace, however few bear the labels: plans of
     * a namespace that are worked on at the same time share a list.
     */
    private List<Seen> labelled(Kind kind, JobName job, boolean phases) throws IOException {
        var lists =
                shared.computeIfAbsent(
                        new Listed(kind, job.namespace(), phases),
                        listed ->
                                new SharedAnswers<>(names -> listed(listed, names), JOBS_PER_LIST));
        var found = lists.ask(job.name());
        return found == null ? List.of() : found;
    }

    private Map<String, List<Seen>> listed(Listed listed, Set<String> names) throws IOException {
        var jobs = "%s,%s in (%s)".formatted(ours(), LabelNames.JOB, String.join(",", names));
        var kind = listed.kind();
        var found =
                found(
                        kind,
                        path(kind, listed.namespace()),
                        jobs,
                        listed.phases(),
                        item -> new JobName(listed.namespace(), jobOf(item)));
        var lists = new HashMap<String, List<Seen>>();
        found.forEach((job, objects) -> lists.put(job.name(), List.copyOf(objects.values())));
        return lists;
    }

    private String ours() {
        return LabelNames.INSTALLATION + "=" + installation;
    }

    /**
     * What there is of each job, by name.
     *
     * <p>Which pods have ended a second list says, of those that have not: a large gang's whole
     * pods are too much to be read. It comes second, so that a pod that is made meanwhile counts as
     * living; one that ends or is gone by then counts as ended. The other way round one that is
     * made between the lists would count as ended, and be kept while it runs.
     */
    private Map<JobName, Map<String, Seen>> found(
            Kind kind,
            String path,
            String selector,
            boolean phases,
            Function<JsonNode, JobName> jobs)
            throws IOException {
        var found = new LinkedHashMap<JobName, Map<String, Seen>>();
        Consumer<JsonNode> taker =
                item -> {
                    var job = jobs.apply(item);
                    var object = seen(kind, job, item);
                    found.computeIfAbsent(job, _ -> new LinkedHashMap<>())
                            .put(object.name(), object);
                };
        each(kind, path, Map.of("labelSelector", selector), taker);
        if (phases) {
            found.values().forEach(pods -> pods.replaceAll((_, pod) -> pod.asEnded()));
            each(kind, path, Map.of("labelSelector", selector, "fieldSelector", NOT_ENDED), taker);
        }
        return found;
    }

    /** Lists page by page and never holds more than one; of the objects only their metadata. */
    private void each(
            Kind kind, String path, Map<String, String> selectors, Consumer<JsonNode> taker)
            throws IOException {
        var query = new HashMap<>(selectors);
        query.put("limit", Integer.toString(PAGE));
        String more;
        do {
            var reply = api.get(path, query, ApiServer.METADATA_LIST);
            if (isNoSuchKind(kind, reply)) {
                return;
            }
            var body = expected(reply);
            body.path("items").forEach(taker);
            more = body.path("metadata").path("continue").asText("");
            query.put("continue", more);
        } while (!more.isEmpty());
    }

    private static String jobOf(JsonNode object) {
        return object.path("metadata").path("labels").path(LabelNames.JOB).asText("");
    }

    private static JobName jobNameOf(JsonNode object) {
        return new JobName(object.path("metadata").path("namespace").asText(), jobOf(object));
    }

    /** What the cluster does not have, or no more: there is nothing of its kinds. */
    private static boolean isNoSuchKind(Kind kind, Reply reply) {
        boolean isNamespace = reply.body().at("/details/kind").asText("").equals("namespaces");
        boolean isExtra = kind == Kind.VOLCANO_GROUP || kind == Kind.RESTART_REQUEST;
        return isExtra && reply.code() == 404 && !isNamespace;
    }

    /**
     * Asks how the cluster can start containers again in their pods; from now on that holds.
     *
     * @throws IOException when the API server does not say it
     */
    public Restarting restarting() throws IOException {
        return served.restarting();
    }

    /**
     * The backends whose kinds the cluster has.
     *
     * @throws IOException when the API server does not say it: that is no word of absence
     */
    public Set<Backend> served(Collection<Backend> wanted) throws IOException {
        return served.served(wanted);
    }

    /** One object by its name, whosever it is. */
    public Optional<Seen> look(Kind kind, JobName job, String name) throws IOException {
        var reply = api.get(path(kind, job.namespace()) + "/" + name, Map.of(), ApiServer.METADATA);
        return reply.code() == 404
                ? Optional.empty()
                : Optional.of(seen(kind, job, expected(reply)));
    }

    /**
     * What there is of some kinds.
     *
     * @param hidden kinds that the cluster's roles do not let us list, each with its words
     */
    public record All(List<Found> found, Map<Kind, String> hidden) {}

    /**
     * All of these kinds of this installation in all namespaces, page by page; metadata only.
     *
     * @param phases whether it matters which pods have ended: that takes another list
     * @throws IOException when the API server does not answer, or not with a list of pods
     */
    public All listAll(List<Kind> kinds, boolean phases) throws IOException {
        var all = new ArrayList<Found>();
        var hidden = new EnumMap<Kind, String>(Kind.class);
        for (var kind : kinds) {
            var path = group(kind) + "/" + plural(kind);
            try {
                found(kind, path, ours(), phases && kind == Kind.POD, Cluster::jobNameOf)
                        .forEach((job, objects) ->
                                objects.values().forEach(each -> all.add(new Found(job, each))));
            } catch (ApiServerBusyException e) {
                // Without pods nothing can be said of any job.
                if (kind == Kind.POD || !e.isDenial()) {
                    throw e;
                }
                hidden.put(kind, e.words());
            }
        }
        return new All(all, hidden);
    }

    /**
     * Does one write when its turn has come.
     *
     * @param guard is asked then, right before the one request that it is
     * @throws IOException when there is no answer, or the guard let nothing pass; doing it again is
     *     harmless
     */
    public Written write(JobName job, Write write, Guard guard) throws IOException {
        return api.inTurn(() -> guard.pass(() -> sent(job, write)));
    }

    private Written sent(JobName job, Write write) throws IOException {
        return switch (write) {
            case CreatePod(var pod) ->
                    written(Kind.POD, job, api.post(path(Kind.POD, job.namespace()) + STRICT, pod));
            case Apply apply -> applied(job, apply);
            case Create(var kind, var object) -> created(kind, job, object);
            case AskRestart(var request) ->
                    written(
                            Kind.RESTART_REQUEST,
                            job,
                            api.post(path(Kind.RESTART_REQUEST, job.namespace()), request));
            case Delete delete -> deleted(delete);
        };
    }

    /** Where edits are kept what was to be written counts as written; it has no uid then. */
    private Written applied(JobName job, Apply apply) throws IOException {
        var kind = apply.kind();
        var object = apply.object();
        boolean force = apply.edits() == Edits.UNDONE;
        var written = written(kind, job, api.apply(path(kind, object), object, force));
        if (apply.edits() != Edits.KEPT) {
            return written;
        }
        var answer = written.answer().besideEdits();
        return answer instanceof ApiAnswer.Edited
                ? new Written(answer, named(kind, job, object))
                : written;
    }

    /** One that was there already is as good: only its name is known of it then. */
    private Written created(Kind kind, JobName job, HasMetadata object) throws IOException {
        var reply = api.post(path(kind, job.namespace()), object);
        if (reply.code() != 409) {
            return written(kind, job, reply);
        }
        var answer = ApiAnswer.ofTaken(reply.reason(), reply.message(), reply.retryAfter());
        if (!(answer instanceof ApiAnswer.Done)) {
            return new Written(answer, null);
        }
        return new Written(answer, named(kind, job, object));
    }

    private Seen named(Kind kind, JobName job, HasMetadata object) {
        var metadata = object.getMetadata();
        var mark = Labels.read(installation, job, kind, metadata.getName(), metadata.getLabels());
        return Seen.of(kind, metadata.getName(), "", mark);
    }

    private Written deleted(Delete delete) throws IOException {
        var path = path(delete.kind(), delete.namespace()) + "/" + delete.name();
        var reply = api.delete(path, Deletions.options(delete));
        return reply.code() == 404
                ? new Written(new ApiAnswer.Done(), null, true)
                : new Written(
                        reply.answer(), null, reply.isSuccess() && Deletions.isGone(reply.body()));
    }

    private Written written(Kind kind, JobName job, Reply reply) {
        if (isNoSuchKind(kind, reply)) {
            return new Written(
                    new ApiAnswer.Later("the cluster has no " + kind.words(), reply.retryAfter()),
                    null);
        }
        return new Written(
                reply.answer(), reply.isSuccess() ? seen(kind, job, reply.body()) : null);
    }

    static JsonNode expected(Reply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new ApiServerBusyException(
                    "HTTP %d %s".formatted(reply.code(), reply.message()), reply.retryAfter());
        }
        return reply.body();
    }

    private Seen seen(Kind kind, JobName job, JsonNode object) {
        var metadata = object.path("metadata");
        var labels = texts(metadata.path("labels"));
        var name = metadata.path("name").asText();
        var grace = metadata.path("deletionGracePeriodSeconds");
        var mark = Labels.read(installation, job, kind, name, labels);
        var seen =
                Seen.of(kind, name, metadata.path("uid").asText(), mark)
                        .with(PodNotes.read(texts(metadata.path("annotations"))))
                        .in(metadata.path("resourceVersion").asText());
        return metadata.has("deletionTimestamp")
                ? seen.asDeleting(grace.isNumber() ? grace.asLong() : null)
                : seen;
    }

    private static Map<String, String> texts(JsonNode map) {
        var texts = new HashMap<String, String>();
        map.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    /** A read that was answered, but not with what was asked for. */
    public static final class ApiServerBusyException extends IOException {
        private final transient Duration atLeast;

        ApiServerBusyException(String message, Duration atLeast) {
            super(message);
            this.atLeast = atLeast;
        }

        /** The cluster's roles do not let us read it. */
        public boolean isDenial() {
            return ApiAnswer.isDenial(words());
        }

        public String words() {
            return String.valueOf(getMessage());
        }

        /** How long the server asked us to wait. */
        public Duration atLeast() {
            return atLeast;
        }
    }
}
