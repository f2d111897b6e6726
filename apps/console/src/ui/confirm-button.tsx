import { useState } from 'react'
import type { OperationId } from '@swath/client/operations.ts'
import { Button } from './button.tsx'
import { CopyCall } from './copy-call.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

export interface ConfirmButtonProps {
  /** The button names what it acts on; the dialog repeats the verb. */
  readonly label: string
  readonly verb: string
  readonly kind: 'danger' | 'primary'
  readonly title: string
  readonly subject: string
  readonly text: string
  readonly cancel: string
  /** The call of the button, for the command line. */
  readonly call: readonly [operation: OperationId, input: object]
  readonly command: {
    readonly isPending: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly run: (onSuccess: () => void) => void
  }
}

/** A button whose dialog asks before something is bought or deleted. */
export function ConfirmButton({ label, verb, kind, title, subject, text, cancel, call, command }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={close}
          actions={
            <>
              <CopyCall operation={call[0]} input={call[1]} />
              <Button onClick={close}>{cancel}</Button>
              <Button kind={kind} isPending={command.isPending} onClick={() => command.run(close)}>
                {verb}
              </Button>
            </>
          }
        >
          <p>
            <strong>{subject}</strong>
          </p>
          <p>{text}</p>
          {command.isError && <ProblemNote error={command.error} />}
        </Dialog>
      )}
    </>
  )
}
