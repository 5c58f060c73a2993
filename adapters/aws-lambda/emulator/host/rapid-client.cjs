// The half of aws-lambda-ric that is written in C++, in JavaScript: it takes events from the Runtime API and gives buffered
// answers back. Streamed ones the other half sends itself.
const { request } = require('node:http');

const root = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;

// The original returns when an answer has been taken, and only then the next event is asked for.
let posted = Promise.resolve();

function exchange(method, path, body) {
  return new Promise((resolve, reject) => {
    const call = request(`${root}/${path}`, { method }, async (response) => {
      const chunks = await response.toArray();
      resolve({ bodyJson: Buffer.concat(chunks).toString(), headers: response.headers });
    });
    call.on('error', reject).end(body);
  });
}

function post(path, body) {
  posted = Promise.all([posted, exchange('POST', path, body)]);
}

module.exports = {
  next: () => posted.then(() => exchange('GET', 'next')),
  done: (id, body) => post(`${id}/response`, body),
  error: (id, body) => post(`${id}/error`, body),
};
