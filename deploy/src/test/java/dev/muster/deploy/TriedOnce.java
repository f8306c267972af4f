package dev.muster.deploy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test whose failure stands, although others are tried a second time: what it tries is another
 * thing each time, or a race that is lost now and then.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TriedOnce.Guard.class)
@interface TriedOnce {
    /** The second try is made by the same process. */
    final class Guard implements BeforeAllCallback {
        private static final Set<Class<?>> TRIED = ConcurrentHashMap.newKeySet();

        @Override
        public void beforeAll(ExtensionContext context) {
            if (!TRIED.add(context.getRequiredTestClass())) {
                throw new IllegalStateException("not tried again: what failed once has failed");
            }
        }
    }
}
