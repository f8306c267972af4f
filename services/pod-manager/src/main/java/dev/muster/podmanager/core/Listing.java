package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.Delete;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the cluster holds under the name of one job: ours, and what else bears a wanted name.
 *
 * @param restarting what the cluster can do for the containers of its pods
 */
public record Listing(List<Seen> objects, Restarting restarting) {
    public Listing {
        objects = List.copyOf(objects);
    }

    /** Of a cluster that is not known to do more than it must. */
    public Listing(List<Seen> objects) {
        this(objects, Restarting.NONE);
    }

    /** The same, with what was made or looked up since; of one kind and name the later counts. */
    public Listing with(List<Seen> later) {
        var all = new LinkedHashMap<String, Seen>();
        objects.forEach(o -> all.put(o.kind() + "/" + o.name(), o));
        later.forEach(o -> all.put(o.kind() + "/" + o.name(), o));
        return new Listing(List.copyOf(all.values()), restarting);
    }

    /** The same without what has been deleted since and is not even ending. */
    public Listing without(List<Delete> gone) {
        var names = gone.stream().map(d -> d.kind() + "/" + d.name()).collect(Collectors.toSet());
        var left = objects.stream().filter(o -> !names.contains(o.kind() + "/" + o.name()));
        return new Listing(left.toList(), restarting);
    }

    List<Seen> ours(Kind kind) {
        return objects.stream().filter(o -> o.kind() == kind && o.mark() != null).toList();
    }
}
