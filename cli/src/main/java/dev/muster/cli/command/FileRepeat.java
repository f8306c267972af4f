package dev.muster.cli.command;

import dev.muster.cli.kafka.QueueFile;
import dev.muster.coordinator.core.state.LastAnswers;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a file is given again, so that nothing of it is done twice: whole, unless one of its pools
 * was asked for more than it remembers. Such a pool would take the first as new, and so forget the
 * next.
 */
final class FileRepeat {
    private final Map<String, Integer> asked = new TreeMap<>();
    private boolean isWhole = true;

    /**
     * From where nobody knows whether this was done; all before it is. Called once for each that is
     * asked for, in their order.
     */
    String from(Setting setting) {
        isWhole &= asked.merge(pool(setting), 1, Integer::sum) <= LastAnswers.KEPT;
        return isWhole
                ? RequestOption.SAME
                : "with only the rest of the file, from %s on (what stands before it is done), and"
                        .formatted(QueueFile.called(setting));
    }

    private static String pool(Setting setting) {
        return switch (setting) {
            case QueueSetting queue -> queue.spec().getPool();
            case PoolSetting pool -> pool.name();
        };
    }
}
