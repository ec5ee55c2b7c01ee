"""One module a framework; each needs the extra of its name, and none is imported by `import haversack`."""
