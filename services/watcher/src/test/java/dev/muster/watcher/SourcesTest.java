package dev.muster.watcher;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
