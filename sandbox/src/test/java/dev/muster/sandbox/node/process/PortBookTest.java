package dev.muster.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortBookTest {
    @TempDir Path folder;
    private PortBook book;

    @BeforeEach
    void open() {
        book = PortBook.of(folder, "a");
    }

    @Test
    void aJobKeepsItsPortAndSharesItWithNoOther() {
        int port = book.port("ml/0-1", 23456);
        assertThat(book.port("ml/0-1", 23456)).isEqualTo(port).isBetween(20_000, 29_999);
        assertThat(book.port("ml/0-2", 23456)).isNotEqualTo(port);
        assertThat(book.port("ml/0-1", 29400)).isNotEqualTo(port);
    }

    @Test
    void theNextProcessOfTheNodeKnowsThePorts() {
        int port = book.port("ml/0-1", 23456);
        assertThat(PortBook.of(folder, "a").port("ml/0-1", 23456)).isEqualTo(port);
    }

    @Test
    void aJobHasTheSamePortOnEveryNode() {
        int port = book.port("ml/0-1", 23456);
        var other = PortBook.of(folder, "b");
        assertThat(other.port("ml/0-1", 23456)).isEqualTo(port);
        assertThat(other.port("ml/0-2", 23456)).isNotEqualTo(port);
    }

    @Test
    void aPortThatIsTakenIsNotChosen() throws IOException {
        int port = book.port("ml/0-1", 23456);
        book.keep(Set.of());
        try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(book.port("ml/0-1", 23456)).isNotEqualTo(taken.getLocalPort());
        }
    }

    @Test
    void aJobThatIsGoneIsForgotten() {
        book.port("ml/0-1", 23456);
        int kept = book.port("ml/0-2", 23456);
        book.keep(Set.of("ml/0-2"));
        assertThat(folder.resolve("a.ports")).hasContent("ml/0-2 23456 " + kept);
    }
}
