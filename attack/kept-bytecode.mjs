// Preloaded into a host whose memory is measured. V8 throws away the bytecode of functions that some collections found unused,
// more than a megabyte of it, at a time of its own: a heap measured before that would leave room for a leak of the size.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-flush-bytecode');
