import { Suspense, type ReactNode } from 'react'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

export interface OverlayBoundaryProps {
  readonly onClose: () => void
  /** The overlay, while it is open. */
  readonly children: ReactNode
}

/** Around a dialog, a menu or the palette: if it fails, the page below stays, with its unsaved input. */
export const OverlayBoundary = ({ onClose, children }: OverlayBoundaryProps) => (
  <ErrorBoundary fallback={() => <OverlayFailure onClose={onClose} />}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)

const OverlayFailure = ({ onClose }: Pick<OverlayBoundaryProps, 'onClose'>) => (
  <Dialog title={uiTexts.overlayFailed} onClose={onClose} actions={<Button onClick={onClose}>{uiTexts.close}</Button>}>
    <p role="alert">{uiTexts.overlayFailedHelp}</p>
  </Dialog>
)
