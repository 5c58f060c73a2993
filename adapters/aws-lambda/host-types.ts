/**
 * The members that this adapter reads of an event in payload format 2.0, which Function URLs and HTTP APIs send. Code
 * that creates such an event may write `null` for missing values.
 */
export interface LambdaEvent {
  /** `2.0`. */
  version: string;
  /** The path: as sent from a Function URL, decoded from an HTTP API. */
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
      /** The caller's address. */
      sourceIp?: string | undefined;
    };
  };
}

/**
 * The members that this adapter reads of an event in payload format 1.0, which REST APIs send, and Application Load
 * Balancers with multi-value headers.
 */
export interface LambdaProxyEvent {
  httpMethod: string;
  /** The path as sent, without the stage at the address of the API. */
  path: string;
  /**
   * All values of each name, with names as the client has written them. A load balancer sends this if its target group
   * says so; otherwise its event is refused.
   */
  multiValueHeaders?: Record<string, string[] | null | undefined> | null | undefined;
  /** All values of each name: decoded from a REST API, as sent from a load balancer. */
  multiValueQueryStringParameters?: LambdaProxyEvent['multiValueHeaders'];
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
    /** The path with the stage, if the visited URL has it. */
    path?: string | undefined;
    /** The stage of a REST API. */
    stage?: string | undefined;
    /** The caller's address. */
    identity?: { sourceIp?: string | null | undefined } | undefined;
    /** Only in events from a load balancer. */
    elb?: object | undefined;
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

/** A complete answer in payload format 1.0. */
export interface LambdaProxyResult {
  statusCode: number;
  /** All values of each name. */
  multiValueHeaders: Record<string, string[]>;
  body: string;
  /** Whether `body` is in Base64. */
  isBase64Encoded: boolean;
}

/** What Lambda passes to a streaming function for its answer: only these members of a writable Node stream. */
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
