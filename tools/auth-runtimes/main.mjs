import { signIn } from './program.mjs';

const [issuer, user] = process.argv.slice(2);
console.log(JSON.stringify(await signIn(issuer, user)));
