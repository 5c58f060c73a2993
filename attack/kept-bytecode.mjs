// Preloaded into a host whose memory is measured. V8 discards the bytecode of functions that several collections found
// unused, more than a megabyte of it, at a time of its own choice: a heap measured before that would leave room for a
// leak of that size.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-flush-bytecode');
