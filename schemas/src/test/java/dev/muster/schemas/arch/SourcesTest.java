package dev.muster.schemas.arch;

class SourcesTest extends SourceRules {}
