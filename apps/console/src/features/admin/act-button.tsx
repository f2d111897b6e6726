import { useState } from 'react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'

export interface ActButtonProps<Id extends OperationId> {
  readonly verb: string
  readonly kind: 'danger' | 'primary'
  readonly title: string
  /** What is acted on, as a person knows it. */
  readonly subject: string
  readonly text: string
  readonly operation: Id
  /** Without the reason, which is asked for. */
  readonly input: Omit<InputOf<Id>, 'reason'>
  /** Read again afterwards. */
  readonly affected: readonly OperationId[]
}

/** An act of an operator: its dialog asks for the reason, without which it cannot be done. */
export function ActButton<Id extends OperationId>(props: ActButtonProps<Id>) {
  const { verb, kind, title, subject, text, operation, input, affected } = props
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const command = useCommand(operation, affected)
  const call = { ...input, reason: reason.trim() } as unknown as InputOf<Id>
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind={kind} aria-label={texts.admin.labelOf(verb, subject)} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={close}
          actions={
            <>
              <CopyCall operation={operation} input={call as object} />
              <Button onClick={close}>{texts.admin.cancel}</Button>
              <Button
                kind={kind}
                disabled={reason.trim() === ''}
                isPending={command.isPending}
                onClick={() => command.mutate(call, { onSuccess: close })}
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
          <TextField
            label={texts.admin.reason}
            help={texts.admin.reasonHelp}
            value={reason}
            onChange={setReason}
            required
          />
          {command.isError && <ProblemNote error={command.error} />}
        </Dialog>
      )}
    </>
  )
}
