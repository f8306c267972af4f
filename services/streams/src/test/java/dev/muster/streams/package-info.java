@NullMarked
package dev.muster.streams;

import org.jspecify.annotations.NullMarked;
