package dev.muster.streams;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.AbstractOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClassicGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what former owners of tasks left open. Whoever takes a task over reads its changelogs as far
 * as they are committed, as others read its outputs, and so all would wait until the broker aborts
 * the transaction of a process that died: for the whole of the transaction's time, and the broker's
 * pause between two looks. Fencing its producer aborts it at once.
 *
 * <p>May be called from many threads.
 */
final class LeftTransactions {
    /** For each request, of which there are four at most; nobody waits for the answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(LeftTransactions.class);

    private final Admin admin;
    private final Predicate<String> isOwn;

    /**
     * @param isOwn whether a producer of this process has that transactional id: it is never
     *     fenced, and ends by itself what the process left before it was started again
     */
    LeftTransactions(Admin admin, Predicate<String> isOwn) {
        this.admin = admin;
        this.isOwn = isOwn;
    }

    /**
     * Looks once for what is left, and returns at once.
     *
     * @param application whose id is its group's, too
     * @param taker the transactional id of the thread that takes tasks over
     */
    void end(String application, String taker) {
        Thread.ofVirtual().name("left-transactions").start(() -> look(application, taker));
    }

    private void look(String application, String taker) {
        try {
            var ids = new TransactionalIds(application);
            // Before the members: who joins in between has nothing open.
            var open = open(ids);
            if (open.isEmpty()) {
                return;
            }
            switch (ids.left(open, members(application), taker)) {
                case Left.These(var left) -> fence(left);
                case Left.Unknown(var member) ->
                        goesOn("who works on them is unknown, because of member " + member);
            }
        } catch (ExecutionException | KafkaException e) {
            goesOn(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void goesOn(@Nullable String why) {
        log.atWarn()
                .addKeyValue("why", why)
                .log(
                        "transactions of former owners, if there are any, end when their time is over");
    }

    private Set<String> open(TransactionalIds ids) throws ExecutionException, InterruptedException {
        var options = new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
        var open = new TreeSet<String>();
        var brokers = admin.listTransactions(patient(options)).byBrokerId().get();
        for (var broker : brokers.entrySet()) {
            try {
                broker.getValue().get().stream()
                        .map(TransactionListing::transactionalId)
                        .filter(ids::contain)
                        .filter(isOwn.negate())
                        .forEach(open::add);
            } catch (ExecutionException e) {
                goesOn("broker %d: %s".formatted(broker.getKey(), e.getMessage()));
            }
        }
        return open;
    }

    private Collection<MemberDescription> members(String application)
            throws ExecutionException, InterruptedException {
        var groups = List.of(application);
        return admin
                .describeClassicGroups(groups, patient(new DescribeClassicGroupsOptions()))
                .all()
                .get()
                .values()
                .stream()
                .flatMap(group -> group.members().stream())
                .toList();
    }

    private void fence(List<String> left) throws ExecutionException, InterruptedException {
        var still = left.isEmpty() ? left : stillOpen(left);
        if (!still.isEmpty()) {
            admin.fenceProducers(still, patient(new FenceProducersOptions())).all().get();
            log.atInfo()
                    .addKeyValue("transactionalIds", still)
                    .log("ended the transactions of former owners");
        }
    }

    /** Who left the group in good order has committed before. */
    private List<String> stillOpen(List<String> left)
            throws ExecutionException, InterruptedException {
        var described =
                admin.describeTransactions(left, patient(new DescribeTransactionsOptions()));
        return described.all().get().entrySet().stream()
                .filter(each -> each.getValue().state() == TransactionState.ONGOING)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static <T extends AbstractOptions<T>> T patient(T options) {
        return options.timeoutMs((int) PATIENCE.toMillis());
    }
}
