/** What people see: columns, ages, one line per thing. */
@NullMarked
package dev.muster.cli.text;

import org.jspecify.annotations.NullMarked;
