package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountsTest {
    private static final Mounts MOUNTS =
            new Mounts("/pod", List.of("/data", "/data/inner/", "/etc/job"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/data                    | /pod/data",
                "/data/                   | /pod/data/",
                "/data/x.py               | /pod/data/x.py",
                "/data/inner/x            | /pod/data/inner/x",
                "--dir=/data --f=/etc/job | --dir=/pod/data --f=/pod/etc/job",
                "/data:/etc/job           | /pod/data:/pod/etc/job",
                "file:///data/x           | file:///pod/data/x",
                "cat </data/x>/data/y     | cat </pod/data/x>/pod/data/y",
                "/database                | /database",
                "/data.json               | /data.json",
                "/my/data                 | /my/data",
                "~/data                   | ~/data",
                "./data                   | ./data",
                "data                     | data",
            })
    void wholePathsBelowAMountAreReplaced(String text, String here) {
        assertThat(MOUNTS.resolve(text)).isEqualTo(here);
    }

    @Test
    void withoutMountsAllStays() {
        assertThat(new Mounts("/pod", List.of()).resolve("/data /")).isEqualTo("/data /");
    }
}
