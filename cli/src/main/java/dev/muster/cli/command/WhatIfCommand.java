package dev.muster.cli.command;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.ExitCode;
import dev.muster.cli.text.Moments;
import dev.muster.cli.text.WhatIfText;
import dev.muster.cli.text.Words;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.demand.Quantity;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says how jobs would have waited with other settings. */
@Command(
        name = "what-if",
        description = "Says how jobs would have waited with other settings or nodes.",
        mixinStandardHelpOptions = true)
final class WhatIfCommand implements Callable<Integer> {
    /** Each is played through all of the time that is looked at. */
    private static final int MOST_NODES = 10_000;

    @Mixin private PastOption past = new PastOption();

    @Option(
            names = "--weight",
            paramLabel = "QUEUE=N",
            description = "Gives the queue this weight.")
    private List<String> weights = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "QUEUE=RESOURCE=AMOUNT",
            description = "Gives the queue this limit of a resource, as in research=cpu=10.")
    private List<String> limits = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            converter = PolicyName.class,
            description =
                    "Which queue is next: SmoothWeightedRoundRobin, RoundRobin, Fifo or"
                            + " DominantShare.")
    private @Nullable QueuePolicy policy;

    @Option(
            names = "--nodes",
            arity = "3",
            paramLabel = "+N like NODE",
            hideParamSyntax = true,
            description =
                    "Adds N nodes (1 to 10,000 in all) like an existing one, as in --nodes +4 like"
                            + " node-1.")
    private List<String> nodes = new ArrayList<>();

    @Option(names = "--without-node", paramLabel = "NODE", description = "Leaves this node out.")
    private List<String> without = new ArrayList<>();

    @Mixin private ContextOption context = new ContextOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        var alteration = alteration();
        if (alteration.equals(Alteration.none())) {
            throw wrong(
                    "say what is altered: --weight, --limit, --policy, --nodes or --without-node");
        }
        var result =
                past.with(
                                context.read(),
                                found ->
                                        WhatIf.run(
                                                found.stretch(past.from(), past.to()),
                                                alteration,
                                                ReplayCommand.version()))
                        .orElseThrow(() ->
                                CommandFailedException.failed(
                                        "pool %s heard nothing in that time".formatted(past.pool()),
                                        null));
        if (!result.unknown().isEmpty()) {
            throw CommandFailedException.notFound(
                    "in that time there was no " + String.join(", no ", result.unknown()));
        }
        var out = Terminal.out(spec);
        var moments = new Moments(Instant.now(), ZoneId.systemDefault());
        WhatIfText.of(past.pool(), words(), result, moments).forEach(out::println);
        out.flush();
        return ExitCode.OK;
    }

    Alteration alteration() {
        return new Alteration(weights(), limits(), policy, more(), new TreeSet<>(without));
    }

    /** As it was typed, in the order of the options. */
    private String words() {
        var words = new ArrayList<String>();
        weights.forEach(weight -> words.add("weight " + weight));
        limits.forEach(limit -> words.add("limit " + limit));
        if (policy != null) {
            words.add("policy " + Words.constant(policy));
        }
        for (int i = 0; i + 2 < nodes.size(); i += 3) {
            words.add("nodes " + String.join(" ", nodes.subList(i, i + 3)));
        }
        without.forEach(node -> words.add("no node " + node));
        return String.join(", ", words);
    }

    private SortedMap<String, Integer> weights() {
        var parsed = new TreeMap<String, Integer>();
        for (var text : weights) {
            var parts = text.split("=", -1);
            if (parts.length != 2) {
                throw wrong("--weight is QUEUE=N, was " + text);
            }
            parsed.put(parts[0], weight(parts[1], text));
        }
        return parsed;
    }

    private SortedMap<String, SortedMap<String, Long>> limits() {
        var parsed = new TreeMap<String, SortedMap<String, Long>>();
        for (var text : limits) {
            var parts = text.split("=", -1);
            if (parts.length != 3) {
                throw wrong("--limit is QUEUE=RESOURCE=AMOUNT, was " + text);
            }
            parsed.computeIfAbsent(parts[0], _ -> new TreeMap<>())
                    .put(parts[1], amount(parts[1], parts[2], text));
        }
        return parsed;
    }

    private SortedMap<String, Integer> more() {
        var parsed = new TreeMap<String, Integer>();
        long all = 0;
        for (int i = 0; i + 2 < nodes.size(); i += 3) {
            var said = String.join(" ", nodes.subList(i, i + 3));
            if (!nodes.get(i).startsWith("+") || !nodes.get(i + 1).equals("like")) {
                throw wrong("--nodes is +N like NODE, was " + said);
            }
            int more = nodes(nodes.get(i).substring(1), said);
            parsed.merge(nodes.get(i + 2), more, Integer::sum);
            all += more;
            if (all > MOST_NODES) {
                throw wrong(
                        "--nodes adds %,d nodes in all: it must be 1 to %,d"
                                .formatted(all, MOST_NODES));
            }
        }
        return parsed;
    }

    private int nodes(String text, String of) {
        int number = number(text, of);
        if (number > MOST_NODES) {
            throw wrong(
                    "'%s' in %s is no number of nodes: it must be 1 to %,d"
                            .formatted(text, of, MOST_NODES));
        }
        return number;
    }

    /** A pool takes no other. */
    private int weight(String text, String of) {
        int weight = number(text, of);
        if (weight > Limits.QUEUE_WEIGHT) {
            throw wrong(
                    "'%s' in %s is no weight: it must be 1 to %,d"
                            .formatted(text, of, Limits.QUEUE_WEIGHT));
        }
        return weight;
    }

    private int number(String text, String of) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong("'%s' in %s is no number of 1 or more".formatted(text, of));
    }

    /** A pool takes no larger one. */
    private long amount(String resource, String text, String of) {
        var quantity = Quantity.parse(text);
        if (quantity == null) {
            throw wrong("'%s' in %s %s".formatted(text, of, Quantity.ALLOWED));
        }
        long amount = quantity.unitsOf(resource);
        if (amount > Limits.TOTAL_AMOUNT) {
            long most = Limits.TOTAL_AMOUNT / (resource.equals("cpu") ? 1_000 : 1);
            throw wrong("'%s' in %s is no limit: it must be at most %,d".formatted(text, of, most));
        }
        return amount;
    }

    private ParameterException wrong(String what) {
        if (spec == null) {
            throw new IllegalStateException(what);
        }
        return new ParameterException(spec.commandLine(), what);
    }
}
