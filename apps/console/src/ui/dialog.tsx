import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { ErrorBoundary } from './boundaries/error-boundary.tsx'
import layout from './layout.module.css'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Buttons, the safe one first. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** A modal dialog, for money and for destruction only. Rendered while it is open; Escape closes it. */
export function Dialog({ title, onClose, actions, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed while it is still in the page: the browser then returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      <ErrorBoundary fallback={() => <DialogFailure onClose={onClose} />}>
        <div className={layout['stack12']}>{children}</div>
        <div className={`${layout['wrap']} ${styles['actions']}`}>{actions}</div>
      </ErrorBoundary>
    </dialog>
  )
}

/** Shown instead of the content of a dialog, if that fails. */
const DialogFailure = ({ onClose }: Pick<DialogProps, 'onClose'>) => (
  <>
    <p role="alert">{uiTexts.overlayFailedHelp}</p>
    <div className={`${layout['wrap']} ${styles['actions']}`}>
      <Button onClick={onClose}>{uiTexts.close}</Button>
    </div>
  </>
)
