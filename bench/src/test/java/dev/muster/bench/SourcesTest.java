package dev.muster.bench;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
