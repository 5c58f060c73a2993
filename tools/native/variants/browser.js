globalThis.variant = 'the variant called browser';
