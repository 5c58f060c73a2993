/** The query of a contract: required unless every value may be left out. */
export type ContractQuery<Query extends object> = {} extends Query
  ? {
      /** What the contract of the route says. */
      query?: Query;
    }
  : {
      /** What the contract of the route says. */
      query: Query;
    };

/** The headers of a contract; a request may have others, too. */
export type ContractHeaders<Headers extends object> = {} extends Headers
  ? {
      /** What the route's contract says, plus others. */
      headers?: Headers & Record<string, string>;
    }
  : {
      /** What the route's contract says, plus others. */
      headers: Headers & Record<string, string>;
    };

/** The body of a contract: its value, or the same as a form. */
export type ContractSent<Body> = unknown extends Body
  ? {
      /** The schema says nothing about it: `unknown` or `any`. */
      body?: Body;
    }
  : [Body] extends [undefined]
    ? {
        /** The route's contract reads none. */
        body?: RequestInit['body'];
      }
    : undefined extends Body
      ? {
          /** What the contract of the route says, sent as JSON, or as it is if it is text; or a form. */
          body?: Jsonable<Body> | FormData | URLSearchParams;
        }
      : {
          /** What the contract of the route says, sent as JSON, or as it is if it is text; or a form. */
          body: Jsonable<Body> | FormData | URLSearchParams;
        };

/** A value without files, which JSON cannot represent. */
type Jsonable<Value> = Value extends object
  ? unknown extends Value[keyof Value]
    ? Value
    : [Extract<Value[keyof Value], Blob | readonly Blob[]>] extends [never]
      ? Value
      : never
  : Value;

/** What a route answers, as far as its contract says. */
export type ResponseOf<Contract> = Contract extends { output: infer Output extends object }
  ? AnswerOf<Output>
  : Response;

type AnswerOf<Output extends object> =
  | {
      [Status in keyof Output & number]: JsonResponse<Status, Output[Status]>;
    }[keyof Output & number]
  | JsonResponse<Exclude<ErrorStatus, keyof Output>, unknown>;

/** A response with known status and JSON. `ok` and `status` distinguish the variants. */
export type JsonResponse<Status extends number, Value> = Omit<Response, 'ok' | 'status' | 'json'> & {
  readonly ok: Status extends ErrorStatus ? false : true;
  readonly status: Status;
  json(): Promise<Value>;
};

/** The statuses of errors: HTTP Status Code Registry. */
type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 406
  | 407
  | 408
  | 409
  | 410
  | 411
  | 412
  | 413
  | 414
  | 415
  | 416
  | 417
  | 421
  | 422
  | 423
  | 424
  | 425
  | 426
  | 428
  | 429
  | 431
  | 451
  | 500
  | 501
  | 502
  | 503
  | 504
  | 505
  | 506
  | 507
  | 508
  | 510
  | 511;
