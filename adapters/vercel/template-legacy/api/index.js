const { createRequestHandler } = require('appkit-server/adapter/vercel');

// Relative to the folder of vercel.json.
module.exports = createRequestHandler({ build: 'dist/server' });
