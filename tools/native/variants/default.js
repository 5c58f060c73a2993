globalThis.variant = 'the variant called default';
