globalThis.variant = 'the variant called native';
