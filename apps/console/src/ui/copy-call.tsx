import type { OperationId } from '@swath/client/operations.ts'
import { Terminal } from 'lucide-react'
import { lazy, useState } from 'react'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import { OverlayBoundary } from './boundaries/overlay-boundary.tsx'

const CallDialog = lazy(() => import('./calls/call-dialog.tsx').then((module) => ({ default: module.CallDialog })))

/** The call of an action or a screen as a program: everything that the console does, one call does. */
export function CopyCall({ operation, input }: { operation: OperationId; input: object }) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button kind="quiet" icon={Terminal} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {uiTexts.copyCall}
      </Button>
      {isOpen && (
        <OverlayBoundary onClose={close}>
          <CallDialog operation={operation} input={input} onClose={close} />
        </OverlayBoundary>
      )}
    </>
  )
}
