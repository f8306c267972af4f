package dev.muster.bench.shape;

import java.util.List;
import java.util.stream.Stream;

/** How KWOK ends the pods of each size: after their time, with success. */
public final class Stages {
    private static final String TEXT =
            """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: bench-%1$s}
            spec:
              resourceRef: {apiGroup: v1, kind: Pod}
              selector:
                matchLabels: {bench-size: %1$s}
                matchExpressions:
                - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
                - {key: .status.phase, operator: In, values: [Running]}
              delay: {durationMilliseconds: %2$d}
              next:
                statusTemplate: |
                  {{ $now := Now }}
                  {{ $root := . }}
                  containerStatuses:
                  {{ range $index, $item := .spec.containers }}
                  {{ $origin := index $root.status.containerStatuses $index }}
                  - image: {{ $item.image | Quote }}
                    name: {{ $item.name | Quote }}
                    ready: false
                    restartCount: 0
                    started: false
                    state:
                      terminated:
                        exitCode: 0
                        finishedAt: {{ $now | Quote }}
                        reason: Completed
                        startedAt: {{ $now | Quote }}
                  {{ end }}
                  phase: Succeeded
            """;

    private Stages() {}

    /** A stage for each size, as files for KWOK. */
    public static List<String> texts() {
        return Stream.of(Size.values())
                .map(size -> TEXT.formatted(size.word(), size.run().toMillis()))
                .toList();
    }
}
