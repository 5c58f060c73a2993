/**
 * What this adapter reads of an event in payload format 2.0, which Function URLs and HTTP APIs send. Code that makes one may write `null` for
 * missing values.
 */
export interface LambdaEvent {
  /** `2.0`. */
  version: string;
  /** The path: from a Function URL as sent, from an HTTP API decoded. */
  rawPath: string;
  /** The query as sent, without its question mark. */
  rawQueryString?: string | null | undefined;
  /** One value per name, in lower case; several lines are joined by a comma. */
  headers?: Record<string, string | null | undefined> | null | undefined;
  /** The parts of the Cookie header. */
  cookies?: string[] | null | undefined;
  /** The body, as text or in Base64. */
  body?: string | null | undefined;
  /** Whether `body` is in Base64. */
  isBase64Encoded?: boolean | null | undefined;
  /** What the platform knows about the request. */
  requestContext: {
    /** The id that AWS gave the request. */
    requestId?: string | undefined;
    /** The host name that was called. */
    domainName?: string | undefined;
    /** `$default`, or the stage of an HTTP API. */
    stage?: string | undefined;
    /** The request line. */
    http: {
      method: string;
      /** Who has called. */
      sourceIp?: string | undefined;
    };
  };
}

/** Status, headers and cookies of an answer. */
export interface LambdaHead {
  statusCode: number;
  /** One value per name. */
  headers: Record<string, string>;
  /** The values of Set-Cookie; there can be several. */
  cookies: string[];
}

/** A complete answer. */
export interface LambdaResult extends LambdaHead {
  body: string;
  /** Whether `body` is in Base64. */
  isBase64Encoded: boolean;
}

/** What Lambda gives a streaming function for its answer: only these members of a writable Node stream. */
export interface LambdaStream {
  readonly destroyed: boolean;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** A function that answers through a stream, marked as such. */
export type StreamingLambdaHandler = (event: LambdaEvent, stream: LambdaStream, context?: unknown) => Promise<void>;

/** The global `awslambda` of Lambda's Node.js runtimes. */
export interface LambdaGlobal {
  /** Marks a function as one that answers through a stream. */
  streamifyResponse(handler: StreamingLambdaHandler): StreamingLambdaHandler;
  HttpResponseStream: {
    /** Puts a head in front of the first write. */
    from(stream: LambdaStream, head: LambdaHead): LambdaStream;
  };
}
