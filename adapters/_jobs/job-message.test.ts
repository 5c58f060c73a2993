import { describe, expect, it } from 'vitest';
import { isEnvelope, toDeadJob } from './job-message.ts';

const JOB = { v: 1, id: 'a', job: 'mail', runAt: 5, attempt: 2 } as const;

describe('isEnvelope', () => {
  it('accepts a job, even with all optional fields', () => {
    const whole = { ...JOB, key: 'k', input: [1], scheduledAt: 5, trace: { traceparent: '00-1' } };
    expect([JOB, whole, toDeadJob(JOB, 'x')].map(isEnvelope)).toEqual([true, true, true]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'mail'],
    ['a list', []],
    ['another version', { ...JOB, v: 2 }],
    ['no id', { ...JOB, id: '' }],
    ['a job that is no text', { ...JOB, job: 1 }],
    ['a key that is no text', { ...JOB, key: 7 }],
    ['a time that is a text', { ...JOB, runAt: '5' }],
    ['an invalid scheduled time', { ...JOB, scheduledAt: Number.NaN }],
    ['attempts below none', { ...JOB, attempt: -1 }],
    ['half an attempt', { ...JOB, attempt: 0.5 }],
    ['a trace that is a text', { ...JOB, trace: '00-1' }],
    ['a trace with a number', { ...JOB, trace: { traceparent: 1 } }],
  ])('refuses %s', (_, value) => {
    expect(isEnvelope(value)).toBe(false);
  });
});

it('creates a message from a dead job that runs again with all its attempts', () => {
  expect(toDeadJob(JOB, 'no mail server')).toEqual({
    ...JOB,
    attempt: 0,
    dead: { attempts: 2, error: 'no mail server', at: expect.any(Number) },
  });
});
