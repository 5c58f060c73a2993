import type { ErrorReporter } from './error-report.ts';

// A failing listener would end the process, and any client can trigger it by leaving. To code of the app, this class looks like the platform's.

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };
type Guarded = (this: HostSignal, event: Event) => void;

const tell: unique symbol = Symbol('appkit.tell');
const added: unique symbol = Symbol('appkit.added');

/** The wrapper of each listener, so that the listener can be removed. */
const guardedOf = new WeakMap<object, Guarded>();
const listenerOf = new WeakMap<object, object>();

/** The signal of a host Request. Failures of its listeners are reported. */
class HostSignal extends AbortSignal {
  declare [tell]: (error: unknown) => void;
  declare [added]: Set<Guarded> | undefined;

  override addEventListener(...[type, listener, ...options]: Parameters<AbortSignal['addEventListener']>): void {
    const guarded = guard(listener);
    if (listener) (this[added] ??= new Set()).add(guarded as Guarded);
    super.addEventListener(type, guarded, ...options);
  }

  override removeEventListener(...[type, listener, ...options]: Parameters<AbortSignal['removeEventListener']>): void {
    const guarded = guard(listener);
    this[added]?.delete(guarded as Guarded);
    super.removeEventListener(type, guarded, ...options);
  }

  override get onabort(): AbortSignal['onabort'] {
    const handler = super.onabort;
    return ((handler && listenerOf.get(handler)) ?? handler) as AbortSignal['onabort'];
  }

  override set onabort(handler: AbortSignal['onabort']) {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is that of the platform
    super.onabort = guard(handler) as AbortSignal['onabort'];
  }
}

Object.defineProperty(HostSignal.prototype, 'constructor', { value: AbortSignal, writable: true, configurable: true });

/**
 * Changes a platform signal so that its listeners may fail. A failure is reported as an error of the request, unless it says that the client has
 * left. The signal stays the same object, and does not keep the request from being garbage collected.
 */
export function toHostSignal(signal: AbortSignal, request: Request, report: ErrorReporter): AbortSignal {
  if (signal instanceof HostSignal) return signal;
  const { url, method } = request;
  const kept = new WeakRef(request);
  const own = Object.setPrototypeOf(signal, HostSignal.prototype) as HostSignal;
  own[tell] = (error) => {
    if ((error as { name?: unknown } | null)?.name === 'AbortError') return;
    report(error, kept.deref() ?? Object.defineProperty(new Request(url), 'method', { value: method }));
  };
  return own;
}

/**
 * Removes the listeners of a signal that cannot be aborted any more, since the answer has been sent. undici keeps a signal from which a Request
 * was made until that Request is collected: a listener that refers to the Request would keep both forever.
 */
export function forgetListeners(signal: AbortSignal): void {
  if (!(signal instanceof HostSignal)) return;
  const { removeEventListener } = EventTarget.prototype;
  for (const guarded of signal[added] ?? []) {
    for (const capture of [false, true]) removeEventListener.call(signal, 'abort', guarded, { capture });
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it removes one
  if (signal.onabort) signal.onabort = null;
  signal[added] = undefined;
}

function guard<T extends object | null>(listener: T): T | Guarded {
  // The platform refuses invalid listeners.
  if (listener === null || (typeof listener !== 'function' && typeof listener !== 'object')) return listener;
  const known = guardedOf.get(listener);
  if (known) return known;
  const guarded: Guarded = function (event) {
    void call(listener as Listener, this, event);
  };
  guardedOf.set(listener, guarded);
  listenerOf.set(guarded, listener);
  return guarded;
}

async function call(listener: Listener, signal: HostSignal, event: Event): Promise<void> {
  try {
    await (typeof listener === 'function' ? Reflect.apply(listener, signal, [event]) : listener.handleEvent(event));
  } catch (error) {
    signal[tell](error);
  }
}
