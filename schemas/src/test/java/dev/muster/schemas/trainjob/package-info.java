/** Tests of the form in which users write a job. */
@NullMarked
package dev.muster.schemas.trainjob;

import org.jspecify.annotations.NullMarked;
