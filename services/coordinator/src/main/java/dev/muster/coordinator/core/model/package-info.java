/**
 * What users ask, what a pool remembers as rows, and what it hears: values, which know nobody above
 * them.
 */
@NullMarked
package dev.muster.coordinator.core.model;

import org.jspecify.annotations.NullMarked;
