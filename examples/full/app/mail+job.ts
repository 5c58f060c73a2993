import { defineJob } from 'appkit-server/jobs';
import { z } from 'zod';
import { sendMail } from '../server/mailer.ts';

/** Runs until the mail is sent, even if the mail service is down for an hour, or this server is restarted meanwhile. */
export default defineJob({
  input: z.object({ from: z.email(), text: z.string().trim().min(1).max(2000) }),
  retry: { attempts: 12, delayMs: 1000 },
  timeoutMs: 20_000,
  run: sendMail,
});
