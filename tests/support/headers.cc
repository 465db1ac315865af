// Nothing: what is compiled with this are the headers that tests have in common.
