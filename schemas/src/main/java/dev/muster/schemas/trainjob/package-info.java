/**
 * The form in which users write a job: text in, the contract's record or everything that is wrong
 * out.
 */
@NullMarked
package dev.muster.schemas.trainjob;

import org.jspecify.annotations.NullMarked;
