"""Series of runs whose errors decrease with the step or with the size of the elements."""
