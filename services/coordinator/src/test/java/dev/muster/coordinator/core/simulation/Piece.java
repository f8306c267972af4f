package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.PoolSpec;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One thing that clusters and jobs of some simulations have, and what is promised of it. Sealed, so
 * that {@link WorldTest} knows of each that there is.
 */
sealed interface Piece
        permits AnswerChance,
                ApartChance,
                ApplyChance,
                BackendChance,
                BudgetChance,
                CareChance,
                ClassChance,
                DeletionChance,
                EndChance,
                GangChance,
                GroupChance,
                HinderedChance,
                HookQuotaChance,
                InPlaceChance,
                InitChance,
                LeavingChance,
                LimitChance,
                MemoryChance,
                NamespaceChance,
                PickyChance,
                QuotaChance,
                ReplacedChance,
                SacrificeChance,
                ShardChance,
                ShunChance,
                SpotChance,
                StageChance,
                StrangerChance,
                StuckHookChance,
                TakenChance,
                TopologyChance {
    /** What the pool hears instead of this event. */
    default Event of(Event event) {
        return event;
    }

    /** What the pool hears so many milliseconds after this event. */
    default List<Later> echoes(Event told) {
        return List.of();
    }

    /** What several say in the place of the one who says this. */
    default List<Event> said(Event event) {
        return List.of(event);
    }

    /** Who watches; empty: the one of all simulations. */
    default List<Event.Witness> watchers() {
        return List.of();
    }

    record Later(long millis, Event event) {}

    /**
     * Is told of each step of the pool.
     *
     * @param play as it was before
     */
    default void hears(Play play, Event event, List<Effect> effects) {}

    /** Where a pod is bound that the pool wants there; null: it is bound nowhere. */
    default @Nullable String bound(String podUid, @Nullable String node) {
        return node;
    }

    /** Which of these pods is deleted now and made again, while nobody watches; null: none. */
    default @Nullable Made replaced(Collection<Made> pods) {
        return null;
    }

    /** The numbers of nodes that die now. */
    default Set<Integer> dying() {
        return Set.of();
    }

    /** Whose kinds its cluster has. */
    default Set<PoolSpec.Backend> backends() {
        return Set.of();
    }

    /** The namespace of the job of this number. */
    default String namespace(int job, String namespace) {
        return namespace;
    }

    /**
     * Throws where its promise is broken.
     *
     * @param event what the pool heard just now; null: only time has passed
     */
    void isKept(Play play, @Nullable Event event);

    /** How often its promise said anything. */
    int weighed();
}
