import { Component } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { ErrorBoundaryProps, LoadedPage } from './site.ts';

interface Props {
  loaded: LoadedPage;
  ErrorBoundary: ComponentType<ErrorBoundaryProps>;
  /** Loads the page again: what has failed may be its data. The loaded page resets the state. */
  retry: () => void;
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
    return <ErrorBoundary error={this.state.error} retry={retry} />;
  }
}

function toFresh({ loaded }: Pick<Props, 'loaded'>): State {
  return { loaded, hasFailed: false, error: undefined };
}
