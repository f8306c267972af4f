package dev.muster.cli;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
