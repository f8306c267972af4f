package dev.muster.coordinator;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
