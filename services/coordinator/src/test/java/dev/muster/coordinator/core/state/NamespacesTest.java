package dev.muster.coordinator.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.queue.Marks;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    private static final List<String> ALL = List.of("a", "b");
    private static final NamespaceQuota QUOTA =
            new NamespaceQuota("ml", Fixtures.cpu(4), new TreeSet<>(), Amounts.NONE, 0, 1);

    private final Marks marks = new Marks();
    private final Namespaces namespaces = new Namespaces(marks);

    @Test
    void whatIsUsedOfANamespaceIsNobodysMatterWhereNoneHasAQuota() {
        marks.forTurns.take(ALL);
        namespaces.used(true);
        assertThat(namespaces.isAny()).isFalse();
        assertThat(marks.forTurns.take(ALL)).isEmpty();
    }

    @Test
    void whatIsUsedOfANamespaceIsAMatterOfAllQueuesWhereOneHasAQuota() {
        namespaces.put(QUOTA);
        marks.forTurns.take(ALL);
        namespaces.used(true);
        assertThat(namespaces.get("ml")).isEqualTo(QUOTA);
        assertThat(marks.forTurns.take(ALL)).isEqualTo(ALL);
        namespaces.remove(QUOTA);
        assertThat(marks.forTurns.take(ALL)).isEqualTo(ALL);
        assertThat(namespaces.isAny()).isFalse();
    }
}
