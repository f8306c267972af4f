/** Tests of what people see. */
@NullMarked
package dev.muster.cli.text;

import org.jspecify.annotations.NullMarked;
