"""Independent judges: other solvers, brute force, other processes, threads and machines' habits."""
