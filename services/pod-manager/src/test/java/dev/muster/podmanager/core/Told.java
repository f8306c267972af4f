package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Outdated;
import dev.muster.podmanager.core.Action.Refuse;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Action.Wait;
import java.util.List;

/** Actions in words. */
final class Told {
    private Told() {}

    static List<String> of(List<Action> actions) {
        return actions.stream()
                .map(action ->
                        switch (action) {
                            case Action.Create(_, var object) ->
                                    "create " + object.getMetadata().getName();
                            case CreatePod(var pod) -> "create " + pod.getMetadata().getName();
                            case Apply(var kind, var object, _, _) ->
                                    kind == Kind.SERVICE
                                            ? "apply " + object.getMetadata().getName()
                                            : "apply %s %s"
                                                    .formatted(
                                                            kind.words(),
                                                            object.getMetadata().getName());
                            case AskRestart(var request) ->
                                    "ask " + request.getMetadata().getName();
                            case Delete delete -> "delete " + delete.name();
                            case Wait _ -> "wait";
                            case Report(var pods) ->
                                    ("report "
                                                    + String.join(
                                                            " ",
                                                            pods.stream().map(Seen::name).toList()))
                                            .strip();
                            case Refuse(var reason, var message) ->
                                    "refuse " + reason + ": " + message;
                            case Outdated _ -> "outdated";
                        })
                .toList();
    }
}
