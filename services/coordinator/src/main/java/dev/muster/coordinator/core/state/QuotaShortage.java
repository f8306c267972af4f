package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why no more may be used.
 *
 * @param whose quota it is
 * @param never it would not be allowed if nothing else ran either
 * @param users who uses what is short
 * @param keptFor for whom some of it is kept or held that others would use; null: nobody
 * @param count where jobs are counted
 */
public record QuotaShortage(
        Code code,
        String scope,
        WaitReason.Shortage shortage,
        Whose whose,
        boolean never,
        Users users,
        @Nullable JobId keptFor,
        @Nullable Count count) {
    private static final String PLACE = ", and the place that is left is";

    QuotaShortage(
            Code code,
            String scope,
            WaitReason.Shortage shortage,
            Whose whose,
            boolean never,
            Users users,
            @Nullable JobId keptFor) {
        this(code, scope, shortage, whose, never, users, keptFor, null);
    }

    /** Its own queue and its namespace would let it: others leave too little. */
    public boolean byOthers() {
        return users != Users.OF_IT;
    }

    /** It is one and the same quota that would be passed. */
    public boolean isOne(@Nullable QuotaShortage other) {
        return other != null && scope.equals(other.scope) && whose.equals(other.whose);
    }

    /** What of it comes free when this is used no more. */
    public long givenBy(Payer payer, Use use) {
        if (whose.kind() == Whose.Kind.NAMESPACE) {
            return payer.namespace().equals(whose.name()) ? use.counted(whose.part()) : 0;
        }
        return payer.queue().equals(whose.name()) ? use.requests().get(scope) : 0;
    }

    /** The same when so many jobs of a queue end. */
    public long givenByEnds(String queue, long jobs) {
        return count != null && queue.equals(whose.name()) ? jobs : 0;
    }

    /** The resource that a quota of a namespace is of; null: it is none of those. */
    public @Nullable String resourceOfNamespace() {
        if (whose.kind() != Whose.Kind.NAMESPACE) {
            return null;
        }
        var part = whose.part();
        if (part.equals(Use.OBJECTS)) {
            return "pods";
        }
        boolean isPrefixed = part.startsWith("requests.") || part.startsWith("limits.");
        return isPrefixed ? part.substring(part.indexOf('.') + 1) : part;
    }

    /** One sentence, put into words only where it is told: most are found and never told. */
    public String message() {
        boolean isFull = count != null && count.running() >= count.most();
        return keptFor == null || isFull
                ? said()
                : "%s%s kept for %s, which has waited for long"
                        .formatted(said(), count == null ? "," : PLACE, keptFor.fullName());
    }

    public WaitReason reason(Instant now) {
        return new WaitReason(code, scope, shortage, now, remedy(), message(), List.of());
    }

    /** Once it starts, it uses what was kept for it: that alone would change nothing. */
    private String remedy() {
        if (never) {
            return "a higher quota, or a smaller gang";
        }
        var end =
                keptFor == null
                        ? "the end"
                        : "the end of %s, which it is kept for, or".formatted(keptFor.fullName());
        return end + " of " + users.remedy;
    }

    private String said() {
        if (count != null) {
            return "queue %s runs %d jobs, its most is %d"
                    .formatted(whose.name(), count.running(), count.most());
        }
        var need = "needs %s of %s".formatted(amount(shortage.need()), whose.of(scope));
        long left = shortage.have();
        return switch (whose.kind()) {
            case QUEUE ->
                    left < 0
                            ? "%s, queue %s is %s beyond %s"
                                    .formatted(need, whose.name(), amount(-left), whose.part())
                            : "%s, queue %s has %s left of %s"
                                    .formatted(need, whose.name(), amount(left), whose.part());
            case NAMESPACE ->
                    left < 0
                            ? "%s, namespace %s is %s beyond its quota"
                                    .formatted(need, whose.name(), amount(-left))
                            : "%s, the quota of namespace %s has %s left"
                                    .formatted(need, whose.name(), amount(left));
        };
    }

    private String amount(long amount) {
        return Words.amount(whose.of(scope), amount);
    }

    /** Who uses what is short: when they end, it comes free. */
    enum Users {
        /** Nobody of the pool need end: what others leave is too little. */
        STRANGERS("pods of others that use the quota, or a higher one"),
        OF_IT("jobs that use the quota, or a higher one"),
        /** The claim's queue among them: nobody else uses more than it is guaranteed. */
        OF_GROUP("jobs of its group's queues, or a higher guarantee"),
        BORROWERS("jobs that borrow, or a higher guarantee");

        private final String remedy;

        Users(String remedy) {
            this.remedy = remedy;
        }
    }

    /**
     * @param running more than the most where that was lowered; less where places are kept
     */
    record Count(long running, long most) {}

    /**
     * The quota that would be passed.
     *
     * @param name of the queue or namespace
     * @param part what of it
     */
    record Whose(Kind kind, String name, String part) {
        enum Kind {
            QUEUE,
            NAMESPACE
        }

        private String of(String scope) {
            return kind == Kind.NAMESPACE ? part : scope;
        }
    }
}
