package dev.muster.schemas;

/** One thing that the topic creator did or found. */
public sealed interface TopicFinding {
    String topic();

    /** The topic was missing and is there now. */
    record Created(String topic, int partitions, int replicas) implements TopicFinding {
        @Override
        public String toString() {
            return "%s: created, %d partitions, %d replicas".formatted(topic, partitions, replicas);
        }
    }

    /** A setting was another one. */
    record Changed(String topic, String setting, String was, String is) implements TopicFinding {
        @Override
        public String toString() {
            return "%s: %s changed from %s to %s".formatted(topic, setting, was, is);
        }
    }

    /** Somebody keeps more than we ask for; left so, since less would lose records. */
    record Larger(String topic, String setting, String is, String asked) implements TopicFinding {
        @Override
        public String toString() {
            return "%s: %s left at %s, more than %s".formatted(topic, setting, is, asked);
        }
    }

    /** Somebody keeps less of what is only looked back at; left so, since that is theirs to say. */
    record Shorter(String topic, String setting, String is, String asked) implements TopicFinding {
        @Override
        public String toString() {
            return "%s: %s left at %s, less than %s: nobody can look back beyond it"
                    .formatted(topic, setting, is, asked);
        }
    }

    /** Muster cannot work with it, and only people can decide what becomes of the records. */
    record Wrong(String topic, String setting, String is, String needed) implements TopicFinding {
        @Override
        public String toString() {
            return "%s: %s is %s and must be %s; move its records and make it anew"
                    .formatted(topic, setting, is, needed);
        }
    }
}
