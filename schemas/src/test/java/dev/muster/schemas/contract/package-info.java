@NullMarked
package dev.muster.schemas.contract;

import org.jspecify.annotations.NullMarked;
