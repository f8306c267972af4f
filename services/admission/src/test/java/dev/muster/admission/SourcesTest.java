package dev.muster.admission;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
