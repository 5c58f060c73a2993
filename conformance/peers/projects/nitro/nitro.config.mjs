export default { serverDir: '.', preset: 'node-server', telemetry: false };
