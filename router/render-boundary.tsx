import { Component } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { ErrorBoundaryProps, LoadedPage } from './site.ts';

/** Loads the page again, after this error: what has failed may be its data, or the loading of its code. */
export type Retry = (error: unknown) => void;

interface Props {
  loaded: LoadedPage;
  ErrorBoundary: ComponentType<ErrorBoundaryProps>;
  /** Loads the page again. The loaded page resets the state. */
  retry: Retry;
  children: ReactNode;
}

interface State {
  /** The page that this state belongs to: the next page resets it. */
  loaded: LoadedPage;
  hasFailed: boolean;
  error: unknown;
}

/** Shows a page's own `ErrorBoundary` in its place when rendering it fails. A class: React has no hook for this. */
export class RenderBoundary extends Component<Props, State> {
  override state: State = toFresh(this.props);

  static getDerivedStateFromProps({ loaded }: Props, state: State): State | null {
    return loaded === state.loaded ? null : toFresh({ loaded });
  }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { hasFailed: true, error };
  }

  override render(): ReactNode {
    const { ErrorBoundary, retry, children } = this.props;
    if (!this.state.hasFailed) return children;
    const { error } = this.state;
    return <ErrorBoundary error={error} retry={() => retry(error)} />;
  }
}

function toFresh({ loaded }: Pick<Props, 'loaded'>): State {
  return { loaded, hasFailed: false, error: undefined };
}
