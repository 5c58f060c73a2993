globalThis.variant = 'the variant called web';
