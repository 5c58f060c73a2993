import { cors } from 'appkit-server/cors';

export default cors({
  origins: ['https://partner.example'],
  headers: ['X-Sent'],
  exposedHeaders: ['X-Count'],
  credentials: true,
  maxAge: 600,
});
