"""Makes path-traced training pictures of six dice in a porcelain bowl, with exact truth beside each picture."""
