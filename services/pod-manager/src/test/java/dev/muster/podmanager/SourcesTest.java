package dev.muster.podmanager;

import dev.muster.schemas.arch.SourceRules;

class SourcesTest extends SourceRules {}
