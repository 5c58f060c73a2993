globalThis.variant = 'the variant called plain';
