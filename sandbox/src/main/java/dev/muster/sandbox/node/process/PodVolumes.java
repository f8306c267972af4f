package dev.muster.sandbox.node.process;

import dev.muster.sandbox.node.core.Launch;
import dev.muster.sandbox.node.core.VolumeFiles;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;

/** A pod's volumes as folders of this machine. */
public final class PodVolumes {
    private final PodFolder folder;

    public PodVolumes(PodFolder folder) {
        this.folder = folder;
    }

    /** Makes the volume, or brings its files up to date; each file is changed as a whole. */
    public void write(VolumeFiles volume) throws IOException {
        var place = folder.volume(volume.volume());
        if (volume.hostPath() != null) {
            link(place, Path.of(volume.hostPath()));
            return;
        }
        Files.createDirectories(place);
        for (var file : volume.files()) {
            var target = place.resolve(file.path());
            Files.createDirectories(target.getParent());
            var unfinished = target.resolveSibling("." + target.getFileName() + ".unfinished");
            Files.write(unfinished, file.bytes());
            Files.setPosixFilePermissions(unfinished, permissions(file.mode()));
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Makes the folder that stands for a container's {@code /}, with its volumes in it. */
    public Path mount(Container container) throws IOException {
        var root = Files.createDirectories(folder.root(container.getName()));
        var mounts = Launch.mounts(container, root.toString());
        var outerFirst =
                container.getVolumeMounts().stream()
                        .sorted(Comparator.comparing(VolumeMount::getMountPath))
                        .toList();
        for (var mount : outerFirst) {
            var volume = folder.volume(mount.getName());
            var target = mount.getSubPath() == null ? volume : volume.resolve(mount.getSubPath());
            if (!Files.exists(target)) {
                Files.createDirectories(target);
            }
            link(Path.of(mounts.place(mount.getMountPath())), target);
        }
        TerminationMessage.prepare(container, root);
        return root;
    }

    private static void link(Path link, Path target) throws IOException {
        Files.createDirectories(link.getParent());
        if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, target);
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        // The constants go from the owner's reading, the highest bit, to others' execution.
        var all = PosixFilePermission.values();
        var permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < all.length; i++) {
            if ((mode & (1 << (all.length - 1 - i))) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }
}
