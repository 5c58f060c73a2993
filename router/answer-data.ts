import type { ErrorTeller } from './error-teller.ts';
import type { PageData } from './fetch-data.ts';
import type { Loaded } from './run-loaders.ts';
import { findData } from './site.ts';
import { toLines, writeData } from './write-data.ts';
import type { WriteOptions, WrittenData } from './write-data.ts';

/** The answer to a request for the data alone. It contains failures, like a document. */
export function answerData(
  { data, actionData, failure, status = 200, headers }: Loaded,
  { client, writing, errors }: { client: string; writing: WriteOptions; errors: ErrorTeller },
): Response {
  if (failure) errors.report(failure.error);
  const given = failure && { ...errors.toGiven(failure.error), level: failure.level };
  const answer: PageData = {
    client,
    data,
    ...(actionData === undefined ? {} : { actionData }),
    ...(given ? { failure: given } : {}),
  };
  try {
    return toDataResponse(writeData(answer, writing), {
      status: given?.status ?? status,
      headers,
    });
  } catch (error) {
    const level = findData(data);
    return answerData({ data: [], headers, failure: { level, error } }, { client, writing, errors });
  }
}

function toDataResponse(
  written: WrittenData,
  { status, headers }: Pick<Loaded, 'headers'> & { status: number },
): Response {
  const body = written.parts.length === 0 ? `${written.text}\n` : toStream(toLines(written));
  return new Response(body, { status, headers: [...headers, ['content-type', 'application/json']] });
}

/** The complete answer to a request for the data alone. */
export async function toText(answer: PageData, writing: WriteOptions): Promise<string> {
  let text = '';
  for await (const line of toLines(writeData(answer, writing))) text += line;
  return text;
}

function toStream(lines: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await lines.return()),
  });
}
