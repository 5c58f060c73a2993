import { createSessionServer } from 'appkit-auth-session/server';
import { runTask, setResponseHeaders } from 'appkit-server';
import { settings } from './settings.ts';

/** Signs users in and out, and keeps their tokens out of the browser. */
export const sessions = createSessionServer(() => ({ ...settings(), runTask, setResponseHeaders }));
