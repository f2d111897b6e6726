import { useState, type ReactNode } from 'react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { Button } from './button.tsx'
import { CopyCall } from './copy-call.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

export interface ConfirmButtonProps<Id extends OperationId> {
  /** The label of the button names its object; the dialog repeats the verb. */
  readonly label: string
  readonly verb: string
  /** Of both buttons; where one of many is plain, that of its dialog is primary, or of `confirmKind`. */
  readonly kind: 'danger' | 'primary' | 'plain'
  readonly confirmKind?: 'danger' | 'primary'
  readonly title: string
  readonly subject: string
  readonly text: string
  readonly cancel: string
  /** The call of the button; the dialog shows it for the command line, too. */
  readonly call: readonly [operation: Id, input: InputOf<Id>]
  /** Makes the call, as `useCommand` returns it. */
  readonly command: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly mutate: (input: InputOf<Id>, options: { readonly onSuccess: () => void }) => void
  }
  /** Called after the call has succeeded; the dialog closes if omitted. */
  readonly onSuccess?: (close: () => void) => void
  /** False while the fields in the dialog are incomplete. */
  readonly isComplete?: boolean
  /** Fields below the text. */
  readonly children?: ReactNode
}

/** A button whose dialog asks before something is bought or deleted. */
export function ConfirmButton<Id extends OperationId>(props: ConfirmButtonProps<Id>) {
  const { label, verb, kind, title, subject, text, cancel, call, command, isComplete = true, children } = props
  const { confirmKind = kind === 'plain' ? 'primary' : kind } = props
  const [isAsking, setAsking] = useState(false)
  const close = (): void => setAsking(false)
  const onSuccess = (): void => (props.onSuccess ? props.onSuccess(close) : close())
  return (
    <>
      <Button kind={kind} aria-label={label} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={close}
          actions={
            <>
              <CopyCall operation={call[0]} input={call[1] as object} />
              <Button onClick={close}>{cancel}</Button>
              <Button
                kind={confirmKind}
                disabled={!isComplete}
                isPending={command.isPending}
                onClick={() => command.mutate(call[1], { onSuccess })}
              >
                {verb}
              </Button>
            </>
          }
        >
          <p>
            <strong>{subject}</strong>
          </p>
          <p>{text}</p>
          {children}
          {command.error !== null && <ProblemNote error={command.error} />}
        </Dialog>
      )}
    </>
  )
}
