import { cloudflare } from './cloudflare.ts';
import { netlify } from './netlify.ts';
import { vercel } from './vercel.ts';
import type { DeployHost } from './deploy-host.ts';

/** The hosts with a tool, by the name that `--host` has. */
export const DEPLOY_HOSTS: Readonly<Record<string, DeployHost>> = { cloudflare, netlify, vercel };
