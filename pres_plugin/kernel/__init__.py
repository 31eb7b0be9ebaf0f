"""The measures themselves: :mod:`.formulas`, for one :mod:`.topic` and for many :mod:`.topics`."""
