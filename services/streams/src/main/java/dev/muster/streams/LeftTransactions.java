package dev.muster.streams;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what the former owner of a task left open. Whoever takes a task over reads its changelogs as
 * far as they are committed, and so would wait until the broker aborts the transaction of a process
 * that died: for the whole of the transaction's time, and the broker's pause between two looks.
 * Fencing its producer aborts it at once. A former owner that still lives lost the task with its
 * place in the group, and could not commit anyway.
 *
 * <p>May be called from many threads.
 */
final class LeftTransactions {
    private static final Logger log = LoggerFactory.getLogger(LeftTransactions.class);

    private final Admin admin;
    private final Set<String> changelogs;
    private final Predicate<String> isOwn;

    /** Changelog partitions that are this process's now: it must fence nobody for another's. */
    private final Set<TopicPartition> owned = ConcurrentHashMap.newKeySet();

    /**
     * @param changelogs topics
     * @param isOwn whether this process's producers have a transactional id; those are never fenced
     */
    LeftTransactions(Admin admin, Set<String> changelogs, Predicate<String> isOwn) {
        this.admin = admin;
        this.changelogs = Set.copyOf(changelogs);
        this.isOwn = isOwn;
    }

    /** These partitions of the input are taken over; returns at once. */
    void taken(Collection<TopicPartition> inputs) {
        var taken = changelogs(inputs);
        if (!taken.isEmpty()) {
            owned.addAll(taken);
            Thread.ofVirtual().name("left-transactions").start(() -> end(taken));
        }
    }

    /** These are somebody else's from now on. */
    void given(Collection<TopicPartition> inputs) {
        owned.removeAll(changelogs(inputs));
    }

    /** A task's changelogs have the number of its inputs. */
    private Set<TopicPartition> changelogs(Collection<TopicPartition> inputs) {
        return inputs.stream()
                .flatMap(input ->
                        changelogs.stream()
                                .map(changelog -> new TopicPartition(changelog, input.partition())))
                .collect(Collectors.toSet());
    }

    private void end(Set<TopicPartition> taken) {
        try {
            var producers = openIn(taken);
            if (producers.isEmpty()) {
                return;
            }
            var left = idsOf(producers);
            if (!left.isEmpty()) {
                admin.fenceProducers(left).all().get();
                log.atInfo()
                        .addKeyValue("transactionalIds", left)
                        .log("ended the transactions of former owners");
            }
        } catch (ExecutionException | KafkaException e) {
            log.atWarn()
                    .addKeyValue("why", e.getMessage())
                    .log("transactions of former owners end when their time is over");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Producers whose transactions have written there and are open. */
    private Set<Long> openIn(Set<TopicPartition> taken)
            throws ExecutionException, InterruptedException {
        var open = new HashSet<Long>();
        var described = admin.describeProducers(taken);
        for (var changelog : taken) {
            try {
                described.partitionResult(changelog).get().activeProducers().stream()
                        .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                        .filter(_ -> owned.contains(changelog))
                        .map(ProducerState::producerId)
                        .forEach(open::add);
            } catch (ExecutionException e) {
                // Nobody has written there yet.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return open;
    }

    private List<String> idsOf(Set<Long> producers)
            throws ExecutionException, InterruptedException {
        var options = new ListTransactionsOptions().filterProducerIds(producers);
        return admin.listTransactions(options).all().get().stream()
                .map(TransactionListing::transactionalId)
                .filter(isOwn.negate())
                .distinct()
                .toList();
    }
}
