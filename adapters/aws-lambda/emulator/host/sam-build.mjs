// What `sam build` makes of the function: the files that `npm pack` includes, with the dependencies next to them.
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-sam-cli-using-build.html
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readTemplate } from './template.mjs';

const { CodeUri } = readTemplate('.').web;
const folder = '.aws-sam/build/Server';
mkdirSync(folder, { recursive: true });
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', '.aws-sam', CodeUri], { encoding: 'utf8' });
const [{ filename }] = JSON.parse(packed);
execFileSync('tar', ['-xzf', path.join('.aws-sam', filename), '-C', folder, '--strip-components=1']);
cpSync(path.join(CodeUri, 'node_modules'), path.join(folder, 'node_modules'), { recursive: true, dereference: true });
