"""The paper's theorem, lemma, basins and more for every number of actions, proved in Coq.

One library of theories that build on each other (`_CoqProject` has the order), so it stands in one
folder and not beside the subjects; `theorems` says which theorem states which claim, and each
subject names its files. `evidence` compiles the sources and reads what they rest on;
`transcript.txt` keeps what Coq said.
"""
