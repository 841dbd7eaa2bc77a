"""The measuring stick of finding: a labelled bilingual set written for this project, and its runner."""
