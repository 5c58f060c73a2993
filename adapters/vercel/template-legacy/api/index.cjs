const path = require('node:path');
const { createRequestHandler } = require('appkit-server/adapter/vercel');

// Found from here: in a workspace, Vercel keeps the path from the root of the repository, where the function runs.
module.exports = createRequestHandler({ build: path.join(__dirname, '../dist/server') });
