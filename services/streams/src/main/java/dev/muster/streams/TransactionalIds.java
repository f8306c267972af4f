package dev.muster.streams;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.MemberDescription;

/**
 * The ids under which the transactions of an application on Kafka Streams go. Each thread has one,
 * and tells it in the name by which its consumer is a member of the application's group.
 */
final class TransactionalIds {
    private static final char BEFORE_ID = '/';

    private final Pattern ofThread;

    /**
     * @param application its id
     */
    TransactionalIds(String application) {
        ofThread =
                Pattern.compile(
                        Pattern.quote(application)
                                + "-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\\d+");
    }

    /** The client id of a consumer whose thread's transactions go under this id. */
    static String told(String clientId, String id) {
        return clientId + BEFORE_ID + id;
    }

    /** Not those of an application whose name begins with this one's. */
    boolean contain(String id) {
        return ofThread.matcher(id).matches();
    }

    /**
     * Whose thread is a member still works on its transaction. Whose is not, and had one open when
     * the members were asked for, has lost its tasks since it began, and cannot commit.
     *
     * @param open ids of transactions that were open before the members were asked for, without
     *     those of this process
     * @param taker the id of the thread that took tasks over; when it is no member any more,
     *     whoever has its tasks looks for itself
     */
    Left left(Collection<String> open, Collection<MemberDescription> members, String taker) {
        var left = new TreeSet<>(open);
        var isMember = false;
        for (var member : members) {
            var id = ofMember(member);
            id.ifPresent(left::remove);
            isMember |= id.filter(taker::equals).isPresent();
        }
        var silent = members.stream().filter(member -> ofMember(member).isEmpty()).findFirst();
        if (!left.isEmpty() && silent.isPresent()) {
            return new Left.Unknown(silent.get().clientId());
        }
        return new Left.These(isMember ? left.stream().toList() : List.of());
    }

    /** A static member has the name under which it first came, whatever became of it since. */
    private Optional<String> ofMember(MemberDescription member) {
        var name = member.clientId();
        return Optional.of(name.substring(name.lastIndexOf(BEFORE_ID) + 1))
                .filter(_ -> member.groupInstanceId().isEmpty())
                .filter(this::contain);
    }
}
