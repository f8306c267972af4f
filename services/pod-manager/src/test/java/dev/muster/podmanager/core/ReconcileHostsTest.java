package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.RESNET;
import static dev.muster.podmanager.core.Plans.UID;
import static dev.muster.podmanager.core.Plans.WORKER_0;
import static dev.muster.podmanager.core.Plans.WORKER_1;
import static dev.muster.podmanager.core.Plans.deleting;
import static dev.muster.podmanager.core.Plans.foreign;
import static dev.muster.podmanager.core.Plans.listing;
import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.pod;
import static dev.muster.podmanager.core.Plans.role;
import static dev.muster.podmanager.core.Plans.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Action.Refuse;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Hosts.Shell;
import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs with a launcher, which is told where the others are. */
class ReconcileHostsTest {
    private static final Rank LAUNCHER = new Rank("launcher", 0);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Reconcile reconcile = new Reconcile("test", Plans::agent, Plans::keys);

    static Run run(long hosts, PlannedPod... pods) {
        return run(new Hosts(hosts, Shell.AGENT), pods);
    }

    private static Run run(Hosts hosts, PlannedPod... pods) {
        return RunBuilder.of(Framework.HOROVOD, List.of(role("launcher", 1), agents()), pods)
                .nprocPerNode("2")
                .hosts(hosts)
                .build();
    }

    /** Workers that say nothing of what they run. */
    private static Role agents() {
        var template =
                new PodTemplateSpecBuilder()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("python:3.12")
                        .endContainer()
                        .endSpec()
                        .build();
        return new Role("worker", 2, false, template, false, "main", 0, false, List.of(), 0, null);
    }

    private static PlannedPod launcher() {
        return planned(LAUNCHER, 1, false, null);
    }

    private static PlannedPod planned(
            Rank rank, int incarnation, boolean host, @Nullable Duration drain) {
        return new PlannedPod(rank, incarnation, null, null, null, false, 0, host, drain);
    }

    private static Seen hostList(long plan) {
        var mark = new Mark(UID, 1, plan, null);
        return Seen.of(Kind.HOST_LIST, "resnet-hosts", "u-hosts", mark).in("v17");
    }

    private static Seen secret() {
        var mark = new Mark(UID, 1, 1, null);
        return Seen.of(Kind.LAUNCHING_SECRET, "resnet-3-100-a1-agent", "", mark);
    }

    private static Seen toldLauncher(long version) {
        return toldLauncher(1, version);
    }

    private static Seen toldLauncher(int attempt, long version) {
        var seen = pod(LAUNCHER, attempt, 1, 1);
        var notes = new PodNotes(version, null);
        return seen.with(notes);
    }

    private static Map<String, String> list(Action action) {
        return ((ConfigMap) ((Apply) action).object()).getData();
    }

    /** Another pod-manager may have written a newer one since, and its own write be late. */
    @Test
    void listIsWrittenOverTheOneThatWasSeenAndOverNoOther() {
        var plan = plan(1, 7, run(7, planned(WORKER_0, 2, true, null)));
        assertThat(reconcile.decide(plan, listing(service(1), hostList(6))))
                .singleElement()
                .satisfies(action -> assertThat(writtenOver(action)).isEqualTo("v17"));
        assertThat(reconcile.decide(plan, listing(service(1))))
                .singleElement()
                .satisfies(action -> assertThat(writtenOver(action)).isEqualTo("1"));
    }

    /** Its version does not change while no worker is ready, and it goes with its own service. */
    @Test
    void listOfAnAttemptBeforeIsWrittenAnewForTheServiceOfThisOne() {
        var plan = plan(2, 4, run(1, launcher()));
        var service = Seen.of(Kind.SERVICE, "resnet", "u-service-2", new Mark(UID, 2, 4, null));
        assertThat(reconcile.decide(plan, listing(service, hostList(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Apply.class,
                        apply -> {
                            assertThat(apply.kind()).isEqualTo(Kind.HOST_LIST);
                            assertThat(apply.edits()).isEqualTo(Edits.UNDONE);
                            assertThat(writtenOver(apply)).isEqualTo("v17");
                            assertThat(apply.object().getMetadata().getOwnerReferences())
                                    .extracting(OwnerReference::getUid)
                                    .containsExactly("u-service-2");
                        });
        var mark = new Mark(UID, 2, 4, null);
        var list = Seen.of(Kind.HOST_LIST, "resnet-hosts", "u-hosts", mark).in("v18");
        assertThat(reconcile.decide(plan, listing(service, list, toldLauncher(2, 1))))
                .singleElement()
                .isInstanceOf(Report.class);
    }

    private static String writtenOver(Action action) {
        return ((Apply) action).object().getMetadata().getResourceVersion();
    }

    @Test
    void listComesAfterTheServiceAndBeforeTheSecretAndThePods() {
        var plan = plan(1, 1, run(1, planned(WORKER_0, 2, false, null)));
        assertThat(reconcile.decide(plan, listing()))
                .singleElement()
                .isInstanceOfSatisfying(
                        Apply.class, apply -> assertThat(apply.kind()).isEqualTo(Kind.SERVICE));
        assertThat(reconcile.decide(plan, listing(service(1))))
                .singleElement()
                .satisfies(action -> assertThat(list(action)).containsEntry("hosts", ""));
        assertThat(reconcile.decide(plan, listing(service(1), hostList(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Create.class,
                        create -> {
                            var secret = (Secret) create.object();
                            assertThat(secret.getMetadata().getName())
                                    .isEqualTo("resnet-3-100-a1-agent");
                            assertThat(secret.getStringData())
                                    .containsEntry("token", "a secret\n")
                                    .containsKeys("agent.py", "ssh");
                        });
        assertThat(reconcile.decide(plan, listing(service(1), hostList(1), secret())))
                .singleElement()
                .isInstanceOf(CreatePod.class);
    }

    @Test
    void everyFormOfTheListHasTheHostsAndTheirSlots() {
        var plan =
                plan(
                        1,
                        9,
                        run(
                                9,
                                launcher(),
                                planned(WORKER_0, 2, true, null),
                                new PlannedPod(
                                        WORKER_1, 3, "n", 20_001, null, false, 0, true, null)));
        var actions = reconcile.decide(plan, listing(service(1), hostList(4)));
        assertThat(actions).hasSize(1);
        assertThat(list(actions.getFirst()))
                .containsEntry("hosts", "resnet-worker-0.resnet:2\nresnet-worker-1.resnet:2\n")
                .containsEntry(
                        "hostfile",
                        "resnet-worker-0.resnet slots=2\nresnet-worker-1.resnet slots=2\n")
                .containsEntry("ports", "resnet-worker-1.resnet 20001\n")
                .containsEntry("version", "9\n");
    }

    @Test
    void listOfAnOlderVersionIsWrittenOnceAndThenItsLauncherIsTold() {
        var plan = plan(1, 9, run(7, launcher(), planned(WORKER_0, 2, true, null)));
        var worker = pod(WORKER_0, 1, 1, 2);
        assertThat(
                        reconcile.decide(
                                plan, listing(service(1), hostList(8), toldLauncher(3), worker)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Apply.class,
                        apply -> {
                            assertThat(apply.kind()).isEqualTo(Kind.POD);
                            var metadata = apply.object().getMetadata();
                            assertThat(metadata.getUid()).isEqualTo(toldLauncher(3).uid());
                            assertThat(metadata.getAnnotations())
                                    .containsExactly(Map.entry("muster.dev/hosts", "7"));
                        });
        assertThat(
                        reconcile.decide(
                                plan, listing(service(1), hostList(8), toldLauncher(7), worker)))
                .singleElement()
                .isInstanceOf(Report.class);
    }

    @Test
    void whoLeavesIsOutOfTheListBeforeItsPodIsTold() {
        var plan =
                plan(
                        1,
                        9,
                        run(
                                9,
                                launcher(),
                                planned(WORKER_0, 2, true, null),
                                planned(WORKER_1, 3, false, MINUTE)));
        var worker0 = pod(WORKER_0, 1, 1, 2);
        var worker1 = pod(WORKER_1, 1, 1, 3);
        assertThat(
                        reconcile.decide(
                                plan,
                                listing(
                                        service(1),
                                        hostList(4),
                                        toldLauncher(4),
                                        worker0,
                                        worker1)))
                .singleElement()
                .satisfies(action ->
                        assertThat(list(action))
                                .containsEntry("hosts", "resnet-worker-0.resnet:2\n"));
        assertThat(
                        reconcile.decide(
                                plan,
                                listing(
                                        service(1),
                                        hostList(9),
                                        toldLauncher(9),
                                        worker0,
                                        worker1)))
                .singleElement()
                .isEqualTo(new Delete(Kind.POD, "ml", worker1.name(), worker1.uid(), 60L));
        assertThat(
                        reconcile.decide(
                                plan,
                                listing(
                                        service(1),
                                        hostList(9),
                                        toldLauncher(9),
                                        worker0,
                                        deleting(worker1))))
                .singleElement()
                .isInstanceOf(Report.class);
        assertThat(
                        reconcile.decide(
                                plan, listing(service(1), hostList(9), toldLauncher(9), worker0)))
                .as("gone, and not made again")
                .singleElement()
                .isInstanceOf(Report.class);
    }

    @Test
    void workerWithACommandOfItsOwnIsToldOnlyWhenItsTimeIsOver() {
        var plan = plan(1, 9, run(9, launcher(), planned(WORKER_1, 3, false, MINUTE)));
        var run = (Run) plan.wanted();
        var roles = List.of(role("launcher", 1), role("worker", 2));
        var own = plan(1, 9, RunBuilder.like(run).roles(roles).build());
        var worker = pod(WORKER_1, 1, 1, 3);
        var there = listing(service(1), hostList(9), toldLauncher(9), worker);
        assertThat(reconcile.decide(plan, there)).singleElement().isInstanceOf(Delete.class);
        assertThat(reconcile.decide(own, there)).singleElement().isInstanceOf(Report.class);
    }

    @Test
    void withSshEachSideHasItsOwnPrivateKeyAlone() {
        var ssh = new Hosts(1, Shell.SSH);
        var plan = plan(1, 1, run(ssh, launcher(), planned(WORKER_0, 2, true, null)));
        var before = listing(service(1), hostList(1));
        var secret = (Secret) ((Create) reconcile.decide(plan, before).getFirst()).object();
        assertThat(secret.getMetadata().getName()).isEqualTo("resnet-3-100-a1-ssh");
        assertThat(secret.getStringData())
                .containsEntry("id", "the launcher's secret\n")
                .containsEntry("authorized_keys", "ssh-ed25519 LAUNCHER\n")
                .containsEntry("host_key", "the hosts' secret\n")
                .containsEntry("known_hosts", "resnet ssh-ed25519 HOSTS\n")
                .doesNotContainKeys("token", "agent.py");
        var there = listing(service(1), hostList(1), sshSecret());
        assertThat(reconcile.decide(plan, there))
                .extracting(action -> mounted(((CreatePod) action).pod()))
                .containsExactly(
                        List.of("id", "config", "known_hosts", "ssh"),
                        List.of("host_key", "authorized_keys", "sshd_config", "serve"));
    }

    private static Seen sshSecret() {
        var mark = new Mark(UID, 1, 1, null);
        return Seen.of(Kind.LAUNCHING_SECRET, "resnet-3-100-a1-ssh", "", mark);
    }

    private static List<String> mounted(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getSecret() != null)
                .flatMap(volume -> volume.getSecret().getItems().stream())
                .map(KeyToPath::getKey)
                .toList();
    }

    @Test
    void sshdWouldEndAllItsWorkAtOnceSoItIsToldOnlyWhenItsTimeIsOver() {
        var pods = new PlannedPod[] {launcher(), planned(WORKER_1, 3, false, MINUTE)};
        var worker = pod(WORKER_1, 1, 1, 3);
        var there = listing(service(1), hostList(9), toldLauncher(9), worker);
        assertThat(reconcile.decide(plan(1, 9, run(new Hosts(9, Shell.SSH), pods)), there))
                .singleElement()
                .isInstanceOf(Report.class);
        assertThat(reconcile.decide(plan(1, 9, run(new Hosts(9, Shell.AGENT), pods)), there))
                .singleElement()
                .isInstanceOf(Delete.class);
    }

    @Test
    void listOfSomebodyElseIsLeftAlone() {
        var plan = plan(1, 1, run(1, planned(WORKER_0, 2, false, null)));
        var theirs = foreign(Kind.HOST_LIST, HostList.name(RESNET));
        assertThat(reconcile.decide(plan, listing(service(1), theirs)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Refuse.class,
                        refuse ->
                                assertThat(refuse.message())
                                        .contains("config map resnet-hosts in namespace ml"));
    }
}
