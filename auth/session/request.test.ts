import { expect, it } from 'vitest';
import { Request } from './request.ts';

it('sends a form, unless a request of an app says otherwise', () => {
  class OwnRequest extends Request<{ id: string }, string> {
    override getQueryBody(): Record<string, string> {
      return { id: this.config.id };
    }
    override getRequestConfig(): { id: string } {
      return this.config;
    }
    override async performAsync(): Promise<string> {
      return this.config.id;
    }
  }
  const request = new OwnRequest({ id: '7' });
  expect(request.getHeaders()).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
  expect(request.getQueryBody()).toEqual({ id: '7' });
});
