import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown instead of the failed part. */
  readonly fallback: (error: unknown) => ReactNode
  readonly children: ReactNode
}

/** Keeps an error in the part of the page where it arose. */
export class ErrorBoundary extends Component<
  ErrorBoundaryProps,
  { readonly failure: { readonly error: unknown } | null }
> {
  override state = { failure: null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state as { failure: { readonly error: unknown } | null }
    return failure ? this.props.fallback(failure.error) : this.props.children
  }
}
