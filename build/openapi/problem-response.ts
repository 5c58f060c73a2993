/** How an operation refers to {@link PROBLEM_RESPONSE}. */
export const PROBLEM: object = { $ref: '#/components/responses/Problem' };

/** The media type of responses with which `contract()` refuses a request. */
export const PROBLEM_RESPONSE: object = {
  description: 'The request does not meet the contract. The field errors lists everything that is wrong.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** RFC 9457, as appkit-server/contract sends it. */
export const PROBLEM_SCHEMA: object = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'errors'],
  properties: {
    type: { type: 'string', format: 'uri-reference', examples: ['about:blank'] },
    title: { type: 'string', examples: ['Bad Request'] },
    status: { type: 'integer', examples: [400] },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['in', 'pointer', 'detail'],
        properties: {
          in: { enum: ['path', 'query', 'header', 'body'] },
          pointer: { type: 'string', format: 'uri-reference', examples: ['#/title'] },
          detail: { type: 'string' },
        },
      },
    },
  },
};
