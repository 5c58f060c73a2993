globalThis.variant = 'the variant called ios';
