"""One folder per framework, each with a subclass of :class:`.base.Adapter`."""
