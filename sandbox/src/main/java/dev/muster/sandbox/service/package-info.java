/** Muster's own services as processes, started fast. */
@NullMarked
package dev.muster.sandbox.service;

import org.jspecify.annotations.NullMarked;
